package main

import (
	"github.com/spf13/pflag"

	"github.com/capdoctor/capdoctor/rules"
)

// judgeFlags are what the user knows and no meter exposes.
type judgeFlags struct {
	catalogFlags
	facts    []string
	goodputs []string
}

func (f *judgeFlags) add(flags *pflag.FlagSet) {
	f.catalogFlags.add(flags)
	flags.StringArrayVar(&f.facts, "fact", nil, "[NAME:]name=value: what no meter shows, such as deadline_seconds=30s or clients=20; repeatable")
	flags.StringArrayVar(&f.goodputs, "goodput", nil, "[NAME:]SELECTOR of the counter that counts finished work, such as orders_done_total; repeatable")
}

// state hands the facts to a session whose inputs are known.
func (f *judgeFlags) state(s *session) error {
	for _, text := range f.facts {
		fact, err := rules.ParseFact(text)
		if err != nil {
			return err
		}
		if err := s.knows(fact.Instance, text); err != nil {
			return err
		}
		fact.Rank, fact.Origin = rules.FromFlag, "--fact"
		s.judge.AddFact(fact)
	}
	for _, text := range f.goodputs {
		g, err := rules.ParseGoodput(text, s.instances())
		if err != nil {
			return err
		}
		if err := s.judge.AddGoodput(g); err != nil {
			return err
		}
		s.goodputs = append(s.goodputs, g.Metric())
	}
	return nil
}
