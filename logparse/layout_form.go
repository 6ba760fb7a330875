package logparse

// A form is one form of stamps, for layouts that would be too loose with any.
type form uint8

const (
	anyForm     form = iota
	formDate         // with year, month and day
	formClock        // without a date
	formCompact      // 17 digits
	formMonth        // begins with the name of a month and has no year
	formLong         // begins with the name of a month and has a year
	formDay          // 02-Mar-2026
	formSlash        // 2026/03/02
	formTAI          // begins with @
)

func formNamed(name string) (form, bool) {
	switch name {
	case "date":
		return formDate, true
	case "clock":
		return formClock, true
	case "compact":
		return formCompact, true
	case "month":
		return formMonth, true
	case "long":
		return formLong, true
	case "day":
		return formDay, true
	case "slash":
		return formSlash, true
	case "tai":
		return formTAI, true
	}
	return anyForm, false
}

// begins says whether a stamp of this form may begin with b.
func (f form) begins(b byte) bool {
	switch f {
	case formMonth, formLong:
		return isLetter(b)
	case formTAI:
		return b == '@'
	case formClock, formCompact, formDay, formSlash:
		return isDigit(b)
	}
	return isDigit(b) || isLetter(b) || b == '@'
}

// holds says whether the stamp st, which b begins with, is of this form.
func (f form) holds(b []byte, st *stamp) bool {
	switch f {
	case formDate:
		return st.has&hasYear != 0
	case formClock:
		return st.has&hasDate == 0
	case formCompact:
		return st.has&hasWeekYear != 0 && isDigit(b[16])
	case formMonth:
		return isLetter(b[0]) && st.has&hasYear == 0
	case formLong:
		return isLetter(b[0]) && st.has&hasYear != 0
	case formDay:
		return b[2] == '-' || b[1] == '-'
	case formSlash:
		return b[4] == '/'
	case formTAI:
		return b[0] == '@'
	}
	return true
}
