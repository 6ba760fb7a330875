package logparse

import "bytes"

// traceStarts are the beginnings of lines that belong to a stack trace or to
// an exception, also in logs whose records have one line each.
var traceStarts = [...]string{
	"Caused by:", "Suppressed:", "... ", "created by ", "Traceback (most recent call last)",
	"During handling of the above exception", "The above exception was the direct cause",
	"panic(", "goroutine ", "Exception in thread ", "--- End of inner exception", "--- End of stack trace",
}

// continues says whether a line looks like a further line of a record: empty,
// indented, the end of a block, or part of a stack trace.
func continues(line []byte) bool {
	if len(line) == 0 {
		return true
	}
	switch c := line[0]; {
	case isSpace(c) || c == '}' || c == ')' || c == '\r':
		return true
	case c == '>' && len(bytes.TrimSpace(line)) == 1: // the end of a text of WebLogic
		return true
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' || c == '-':
		return startsTrace(line) || isException(line)
	}
	return false
}

// startsTraceback says whether a line begins a traceback of Python.
func startsTraceback(line []byte) bool {
	return bytes.HasPrefix(line, []byte("Traceback (most recent call last)"))
}

func startsTrace(line []byte) bool {
	for _, s := range traceStarts {
		if len(line) >= len(s) && string(line[:len(s)]) == s {
			return true
		}
	}
	return false
}

// isException says whether a line begins with the qualified name of a class, as
// the first line of a stack trace of Java or .NET does: java.lang.Error: text,
// System.ComponentModel.Win32Exception (0x80004005): text.
func isException(line []byte) bool {
	dots := 0
	for i, c := range line {
		switch {
		case c == '.':
			dots++
		case c == ':' && i > 0, c == ' ' && bytes.HasPrefix(line[i:], []byte(" (0x")):
			return dots >= 1 && exceptionName(line[:i])
		case isLetter(c) || isDigit(c) || c == '_' || c == '$':
		default:
			return false
		}
	}
	return dots >= 1 && exceptionName(line)
}

func exceptionName(name []byte) bool {
	return bytes.HasSuffix(name, []byte("Exception")) || bytes.HasSuffix(name, []byte("Error")) ||
		bytes.HasSuffix(name, []byte("Throwable"))
}

// namesFailure says whether a word is the class of an exception or the code of a
// message: IOException, ORA-00018, J2CA0045E, AH00484.
func namesFailure(word []byte) bool {
	if exceptionName(word) {
		return true
	}
	end := len(word)
	if end > 1 && isUpper(word[end-1]) && isDigit(word[end-2]) {
		end-- // the severity of IBM's codes
	}
	from := end
	for from > 0 && isDigit(word[from-1]) {
		from--
	}
	prefix, least := word[:from], 4
	if before, ok := bytes.CutSuffix(prefix, []byte("-")); ok {
		prefix, least = before, 2
	}
	if end-from < least || len(prefix) < 2 || !isUpper(prefix[0]) {
		return false
	}
	for _, c := range prefix {
		if !isUpper(c) && !isDigit(c) {
			return false
		}
	}
	return true
}
