package lab

import (
	"strings"
	"testing"
	"time"
)

// Mean backlog = rate x mean time until committed; what is not committed at the
// end makes the difference.
func TestGroupLittlesLaw(t *testing.T) {
	for _, s := range groupScenarios() {
		m := s.begin(epoch).(*Group)
		m.RunTo(epoch.Add(4 * time.Minute)) // before anything goes wrong
		g := m.Stats()
		if !near(g.WaitSeconds, g.BacklogSeconds, 0.01) {
			t.Errorf("%s: %.1f s waited, %.1f s in the backlog", s.Name, g.WaitSeconds, g.BacklogSeconds)
		}
		m.RunTo(epoch.Add(s.Length))
		if g = m.Stats(); g.Sent != g.Committed+g.Backlog {
			t.Errorf("%s: %d sent, %d committed, %d in the backlog", s.Name, g.Sent, g.Committed, g.Backlog)
		}
	}
}

func TestGroupPromises(t *testing.T) {
	for name, keeps := range map[string]func(GroupStats) bool{
		"kafka-stalled":    func(g GroupStats) bool { return g.PollAge > 230*time.Second && g.Backlog > 9000 && g.Delayed == 0 },
		"kafka-healthy":    func(g GroupStats) bool { return g.PollAge < 10*time.Second && g.Backlog < 100 },
		"pulsar-delayed":   func(g GroupStats) bool { return g.Delayed > 9000 && g.Backlog-g.Delayed < 10 },
		"pulsar-undelayed": func(g GroupStats) bool { return g.Delayed == 0 && g.Backlog < 100 },
	} {
		s, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		m := s.begin(epoch).(*Group)
		m.RunTo(epoch.Add(s.Length))
		if g := m.Stats(); !keeps(g) {
			t.Errorf("%s does not keep its promise: %+v", name, g)
		}
	}
}

// A consumer that has not polled for five minutes leaves its group and says so.
func TestConsumerLeaves(t *testing.T) {
	c := billing()
	c.HangAt = time.Minute
	m := newGroup(c, kafkaFront(), epoch)
	m.RunTo(epoch.Add(7 * time.Minute))
	if log := text(m.Logs(billingTarget)); strings.Count(log, "consumer poll timeout has expired") != 3 {
		t.Errorf("want a line of each of three consumers:\n%s", log)
	}
	if page := string(m.Pages()[exporterTarget]); !strings.Contains(page, `kafka_consumergroup_members{consumergroup="billing"} 0`) {
		t.Errorf("the group still has members:\n%s", page)
	}
}
