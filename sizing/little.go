package sizing

import "math"

// Little is Little's law: what is in flight = rate × time of one round. Two of
// InFlight, Rate and Time are needed; the third follows. Given all three, they
// must agree to a twentieth.
type Little struct {
	InFlight Number // requests, jobs, callers
	Rate     Number // completed, per second
	Time     Number // seconds that one takes
	Think    Number // seconds that a caller pauses between two; 0 when not given
}

const (
	littlesLaw = "Little's law"
	agreement  = 0.05
)

// Result returns the third number.
func (in Little) Result() (Result, error) {
	s := newSheet("Little's law: in flight = rate × time")
	n, hasN := s.take("in flight", "", in.InFlight, positive())
	rate, hasRate := s.take("rate", "1/s", in.Rate, positive())
	time, hasTime := s.take("time", "s", in.Time, positive())
	think, _ := s.take("think time", "s", in.Think, notNegative())
	switch {
	case s.bad():
	case hasN && hasRate && hasTime:
		s.checkLittle(n, rate, time, think)
	case hasRate && hasTime:
		s.line("in flight", "", rate*(time+think), littlesLaw, "rate × (time + think time) = %s × %s", perSecond(rate), seconds(time+think))
	case hasN && hasTime:
		s.line("rate", "1/s", n/(time+think), littlesLaw, "in flight ÷ (time + think time) = %s ÷ %s", digits(n), seconds(time+think))
	case hasN && hasRate:
		s.littleTime(n, rate, think)
	default:
		s.missing = append(s.missing, "two of in flight, rate, time")
	}
	return s.done()
}

func (s *sheet) littleTime(n, rate, think float64) {
	round := n / rate
	if round <= think {
		s.contradict([]string{"in flight", "rate", "think time"},
			"%s in flight at %s make a round of %s, which leaves nothing beside a think time of %s",
			digits(n), perSecond(rate), seconds(round), seconds(think))
		return
	}
	s.line("time", "s", round-think, littlesLaw, "in flight ÷ rate − think time = %s ÷ %s − %s", digits(n), perSecond(rate), seconds(think))
}

func (s *sheet) checkLittle(n, rate, time, think float64) {
	product := rate * (time + think)
	if math.Abs(product-n) > agreement*n {
		s.contradict([]string{"in flight", "rate", "time"},
			"%s in flight cannot be: rate × time = %s × %s = %s; one of the three was measured elsewhere or at another time",
			digits(n), perSecond(rate), seconds(time+think), digits(product))
		return
	}
	s.line("in flight", "", product, littlesLaw, "rate × (time + think time) = %s × %s", perSecond(rate), seconds(time+think))
	s.advise("The three agree: they were measured of the same requests.")
}
