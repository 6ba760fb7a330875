package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/capdoctor/capdoctor/rules"
	"github.com/capdoctor/capdoctor/sizing"
)

// A sizeTool is one calculation: its inputs, and what it computes from them.
type sizeTool struct {
	name     string
	short    string
	examples []string
	fields   []sizeField
	switches []sizeSwitch
	anchor   string // PromQL: its series are what the calculation may be about
	result   func() (sizing.Result, error)
	// bench tells slots and service time, where reports of benchmarks can be read.
	bench func() (slots, service sizing.Number)
	stats bool // statistics of business services can be read
	// measured tells that rates and times of --from go in: those of an incident
	// are not those to size by.
	measured bool
}

// A sizeField is one input of a calculation.
type sizeField struct {
	flag  string
	name  string // as the calculation calls it
	into  *sizing.Number
	usage string
	from  []string // PromQL, best first: where an observed value comes from
}

// A sizeSwitch is an input that is so or not.
type sizeSwitch struct {
	flag  string
	into  *bool
	usage string
	from  string // PromQL: any result means it is so
}

func sizeTools() []*sizeTool {
	return []*sizeTool{littleTool(), poolTool(), queueTool(), eventoTool(), coordinatorTool(), osbTool(), pulsarTool()}
}

// A numberFlag is a flag that holds a number or a duration.
type numberFlag struct {
	into   *sizing.Number
	origin string
}

// Set reads "64", "0.2", "200ms" or "1m30s".
func (f *numberFlag) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		if d, derr := time.ParseDuration(text); derr == nil {
			v = d.Seconds()
		} else if v, err = rules.ParseFactValue(text); err != nil {
			return fmt.Errorf("%q is neither a number nor a duration such as 200ms", text)
		}
	}
	*f.into = sizing.Given(v, f.origin)
	return nil
}

func (f *numberFlag) String() string {
	if f.into == nil || !f.into.Known() {
		return ""
	}
	return strconv.FormatFloat(f.into.Value, 'g', -1, 64)
}

// Type is what the help calls the value.
func (f *numberFlag) Type() string { return "number" }

// fact is the expression of a fact.
func fact(name string) string { return `cap:fact{fact="` + name + `"}` }

// known is a fact that holds for all instances.
func known(name string) string { return "max by (fact, origin) (" + fact(name) + ")" }

func littleTool() *sizeTool {
	var in sizing.Little
	return &sizeTool{
		name:  "little",
		short: "Little's law: two of in flight, rate and time give the third",
		examples: []string{
			"capdoctor size little --rate 25 --time 300ms --think 20ms",
			"capdoctor size little --in-flight 20 --rate 0.07",
		},
		fields: []sizeField{
			{"in-flight", "in flight", &in.InFlight, "requests in flight, or callers with one at a time each", []string{"cap:in_flight", "cap:pool_busy + cap:waiting"}},
			{"rate", "rate", &in.Rate, "completions per second", []string{"cap:completed_rate > 0"}},
			{"time", "time", &in.Time, "how long one takes", []string{"cap:latency_seconds > 0"}},
			{"think", "think time", &in.Think, "how long a caller pauses between two", nil},
		},
		anchor:   "cap:completed_rate > 0 and (cap:in_flight or cap:pool_busy)",
		measured: true,
		result:   func() (sizing.Result, error) { return in.Result() },
	}
}

func poolTool() *sizeTool {
	var in sizing.Pool
	return &sizeTool{
		name:  "pool",
		short: "what a pool of threads, connections or slots sustains",
		examples: []string{
			"capdoctor size pool --workers 64 --service 20ms --rate 2000 --queue 256",
			"capdoctor size pool --from app.example:8080 --resource http-nio-8080",
		},
		fields: []sizeField{
			{"workers", "workers", &in.Workers, "threads, connections or slots", []string{"cap:pool_max > 0", "cap:pool_size > 0"}},
			{"service", "service time", &in.Service, "how long one request holds a worker",
				[]string{"cap:hold_seconds > 0", "cap:pool_busy / (cap:completed_rate > 0) > 0"}},
			{"rate", "rate", &in.Rate, "requests that come, per second", []string{"cap:offered_rate > 0", "cap:completed_rate > 0"}},
			{"clients", "clients", &in.Clients, "callers with one request at a time each", []string{"max(cap:clients)"}},
			{"think", "think time", &in.Think, "how long a caller pauses between two", nil},
			{"queue", "queue", &in.Queue, "places in the queue behind it", []string{"cap:queue_capacity"}},
			{"deadline", "deadline", &in.Deadline, "how long a caller waits", []string{"cap:deadline_seconds", fact("deadline_seconds")}},
		},
		anchor:   "cap:pool_max > 0",
		measured: true,
		result:   func() (sizing.Result, error) { return in.Result() },
	}
}

func queueTool() *sizeTool {
	var in sizing.Queue
	return &sizeTool{
		name:  "queue",
		short: "how deep a queue is of use before its callers have gone",
		examples: []string{
			"capdoctor size queue --deadline 30s --service 200ms --workers 64",
			"capdoctor size queue --from incident.capdoctor --service 200ms",
		},
		fields: []sizeField{
			{"deadline", "deadline", &in.Deadline, "how long a caller waits", []string{"cap:deadline_seconds", fact("deadline_seconds")}},
			{"service", "service time", &in.Service, "how long one request takes once a worker has it",
				[]string{"cap:hold_seconds > 0", "cap:pool_busy / (cap:completed_rate > 0) > 0"}},
			{"workers", "workers", &in.Workers, "that serve the queue", []string{"cap:pool_size > 0", "cap:pool_max > 0"}},
			{"queue", "queue", &in.Depth, "places in the queue as it is configured", []string{"cap:queue_capacity"}},
		},
		anchor:   "cap:waiting",
		measured: true,
		result:   func() (sizing.Result, error) { return in.Result() },
	}
}
