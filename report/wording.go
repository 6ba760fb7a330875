package report

import "github.com/capdoctor/capdoctor/rules"

// A wording is a report put into words: the same ones in every form. Its methods
// return texts; where they go is left to the form.
type wording struct {
	lettering
	r     *rules.Report
	o     Options
	out   outline
	clock clock
}

func newWording(r *rules.Report, o Options) wording {
	return wording{lettering{o.ASCII}, r, o, newOutline(r, o), newClock(o, r)}
}
