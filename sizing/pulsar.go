package sizing

// Pulsar is a throttled Pulsar cluster: a limit per second that every node takes
// as what the cluster has left. Groups of inputs may be given alone: Limit with
// Nodes and usage, Average, FanOut, Sent and SentBy; Target with Partition.
type Pulsar struct {
	Limit     Number // messages per second of the cluster, one direction
	Usage     Number // of it in the last window, per second
	Nodes     Number // brokers
	NodeUsage Number // of one broker, per second; Usage ÷ Nodes when not given
	Average   Number // rate averaged over a minute
	FanOut    Number // subscriptions that read each message
	Sent      Number // messages sent in the present window
	SentBy    Number // seconds from the start of the window until then
	Window    Number // seconds; 1 when not given
	Target    Number // rate to be reached on partitions, per second
	Partition Number // limit of one partition; 5000 when not given
	Alarm     Number // share of a limit at which to act; 0.8 when not given
	Tick      Number // seconds between two checks of a partition's quota
	Inflow    Number // rate that comes to a partition between two checks
}

const (
	remainder = "a node's threshold is its own usage and what the cluster has left (TDMQ, Traffic Throttling Mechanisms)"
	secondly  = "limits count per second, the console averages a minute (TDMQ)"
	quota     = "5,000 messages a second and partition (TDMQ)"
)

// Result returns everything that the given inputs allow.
func (in Pulsar) Result() (Result, error) {
	s := newSheet("Pulsar throttling in windows of a second")
	limit, hasLimit := s.take("limit", "1/s", in.Limit, positive())
	alarm := s.need("alarm", "ratio", in.Alarm.or(0.8, "default"), share())
	if !hasLimit && !in.Target.Known() && !in.Inflow.Known() {
		s.missing = append(s.missing, "limit, or target, or inflow")
	}
	if s.bad() {
		return s.done()
	}
	if hasLimit {
		s.line("alarm at", "1/s", alarm*limit, "TDMQ: 80 %", "alarm × limit = %s × %s", percent(alarm), perSecond(limit))
		in.nodes(s, limit)
		in.burst(s, limit)
		in.window(s, limit)
		in.split(s, limit)
	}
	if in.Target.Known() || in.Inflow.Known() {
		in.partitions(s, alarm)
	}
	return s.done()
}

// nodes is the rule of the remainder.
func (in Pulsar) nodes(s *sheet, limit float64) {
	if !in.Nodes.Known() && !in.Usage.Known() && !in.NodeUsage.Known() {
		return
	}
	nodes := s.need("nodes", "", in.Nodes, atLeastOne())
	usage, hasUsage := s.take("usage", "1/s", in.Usage, notNegative())
	own, hasOwn := s.take("node usage", "1/s", in.NodeUsage, notNegative())
	switch {
	case s.bad():
		return
	case hasOwn && !hasUsage:
		usage = s.line("usage", "1/s", nodes*own, "nodes used evenly", "nodes × node usage = %s × %s", digits(nodes), perSecond(own))
	case !hasOwn && hasUsage:
		own = s.line("node usage", "1/s", usage/nodes, "nodes used evenly", "usage ÷ nodes = %s ÷ %s", perSecond(usage), digits(nodes))
	case !hasOwn:
		s.missing = append(s.missing, "usage or node usage")
		return
	case own > usage+noise:
		s.contradict([]string{"node usage", "usage"}, "one node has %s, but all nodes together %s", perSecond(own), perSecond(usage))
		return
	}
	left := s.line("left in the cluster", "1/s", max(0, limit-usage), remainder, "limit − usage, at least 0 = %s − %s", perSecond(limit), perSecond(usage))
	s.line("threshold of a node", "1/s", own+left, remainder, "node usage + what is left = %s + %s", perSecond(own), perSecond(left))
	all := s.line("all thresholds together", "1/s", usage+nodes*left, remainder,
		"usage + nodes × what is left = %s + %s × %s", perSecond(usage), digits(nodes), perSecond(left))
	s.line("against the limit", "x", all/limit, remainder, "all thresholds ÷ limit = %s ÷ %s", perSecond(all), perSecond(limit))
	if all > limit && usage < limit {
		s.advise("%s may pass in one second without one throttle event, with a limit of %s: "+
			"size consumers and storage for that peak.", digits(all), digits(limit))
	}
	if usage >= limit {
		s.advise("The limit is used up: every node keeps what it has, nothing is left to share.")
	}
}

// burst bounds what an average over a minute can hide.
func (in Pulsar) burst(s *sheet, limit float64) {
	average, ok := s.take("average", "1/s", in.Average, positive())
	if !ok {
		return
	}
	if average >= limit {
		s.advise("The average of %s is at the limit of %s: nothing is hidden, more comes than may.", perSecond(average), perSecond(limit))
		return
	}
	s.line("seconds of a minute at the limit, at most", "s", floor(60*average/limit), secondly,
		"60 × average ÷ limit = 60 × %s ÷ %s", perSecond(average), perSecond(limit))
	s.line("peak against average, at least", "x", limit/average, secondly, "limit ÷ average = %s ÷ %s", perSecond(limit), perSecond(average))
	s.line("peak hidden in the average, at most", "1/s", 60*average, "all of a minute in one second", "60 × average = 60 × %s", perSecond(average))
	if average >= 0.8*limit {
		s.advise("The average is %s of the limit: little is hidden, the limit itself is near.", percent(average/limit))
		return
	}
	s.advise("When throttle events are counted at this average, messages come in bursts: the busiest second has %s at least. "+
		"Spread them, or ask for the maximum instead of the average; capdoctor diagnose --burst reads once a second.", digits(limit))
}

// window is how long the next message waits in a window that is used up.
func (in Pulsar) window(s *sheet, limit float64) {
	if !in.Sent.Known() && !in.SentBy.Known() {
		return
	}
	window := s.need("window", "s", in.Window.or(1, "default"), positive())
	sent := s.need("sent", "messages", in.Sent, notNegative())
	at := s.need("sent by", "s", in.SentBy, notNegative())
	switch {
	case s.bad():
		return
	case at > window:
		s.contradict([]string{"sent by", "window"}, "%s is after the end of a window of %s", seconds(at), seconds(window))
		return
	case sent < limit*window:
		s.line("wait of the next message", "s", 0, remainder, "sent is below limit × window: %s of %s", digits(sent), digits(limit*window))
		return
	}
	wait := s.line("wait of the next message", "s", window-at, "the channel opens with the next window",
		"window − sent by = %s − %s", seconds(window), seconds(at))
	s.line("part of the window", "ratio", wait/window, "the channel opens with the next window", "wait ÷ window = %s ÷ %s", seconds(wait), seconds(window))
}

// split shares one limit between production and consumption.
func (in Pulsar) split(s *sheet, limit float64) {
	f, ok := s.take("fan-out", "", in.FanOut, positive())
	if !ok {
		return
	}
	const source = "each message in comes out once for each subscription"
	s.line("production", "1/s", limit/(1+f), source, "limit ÷ (1 + fan-out) = %s ÷ %s", perSecond(limit), digits(1+f))
	s.line("consumption", "1/s", limit*f/(1+f), source, "limit × fan-out ÷ (1 + fan-out) = %s × %s ÷ %s", perSecond(limit), digits(f), digits(1+f))
}

// partitions is the number for a rate, and how far a check of every tick lets a
// partition overshoot.
func (in Pulsar) partitions(s *sheet, alarm float64) {
	of := s.need("partition limit", "1/s", in.Partition.or(5000, "TDMQ's default"), positive())
	if rate, ok := s.take("target", "1/s", in.Target, positive()); ok {
		s.line("partitions", "", ceil(rate/(alarm*of)), quota, "target ÷ (alarm × partition limit), rounded up = %s ÷ (%s × %s)",
			perSecond(rate), percent(alarm), perSecond(of))
	}
	inflow, ok := s.take("inflow", "1/s", in.Inflow, positive())
	if !ok {
		return
	}
	tick := s.need("tick", "s", in.Tick.or(0.05, "TDMQ's default"), positive())
	over := s.line("overshoot of a partition, at most", "messages", inflow*tick, "the quota is checked once a tick",
		"inflow × tick = %s × %s", perSecond(inflow), seconds(tick))
	s.line("overshoot, in parts", "ratio", over/of, "the quota is checked once a tick", "overshoot ÷ partition limit = %s ÷ %s", digits(over), perSecond(of))
	s.advise("Up to %s messages pass above the limit of a partition; then its producers pause for up to 1 s.", digits(over))
}
