package main

import "github.com/capdoctor/capdoctor/sizing"

// The calculations of single systems.

func eventoTool() *sizeTool {
	var in sizing.Evento
	const bus = `{system="evento"}`
	return &sizeTool{
		name:  "evento",
		short: "an Evento server: threads, queue and fetch permits in series",
		examples: []string{
			"capdoctor size evento --cores 8 --service 20ms --fetches 1 --fetch-time 10ms",
			"capdoctor size evento --cores 8 --queue-first --service 300ms \\\n    --nested 2 --nested-time 100ms --clients 20",
		},
		fields: []sizeField{
			{"cores", "cores", &in.Cores, "processors, from which Evento sizes its pool", nil},
			{"core", "core threads", &in.Core, "business-executor-core-size", []string{"cap:pool_core" + bus}},
			{"max", "max threads", &in.Max, "business-executor-max-size", []string{"cap:pool_max" + bus}},
			{"queue", "queue", &in.Queue, "business-executor-queue-capacity", []string{"cap:queue_capacity" + bus}},
			{"service", "service time", &in.Service, "how long a request holds its thread when it waits for no other", nil},
			{"nested", "nested requests", &in.Nested, "requests of its own that it waits for, each in need of another thread", nil},
			{"nested-time", "nested time", &in.NestedTime, "how long one of them takes", nil},
			{"clients", "clients", &in.Clients, "callers with one request at a time each", []string{"max(cap:clients)"}},
			{"think", "think time", &in.Think, "how long a caller pauses between two", nil},
			{"deadline", "deadline", &in.Deadline, "how long a caller waits", []string{"cap:deadline_seconds" + bus, fact("deadline_seconds")}},
			{"fetches", "fetches of a request", &in.Fetches, "event fetches that a request makes", nil},
			{"fetch-time", "fetch time", &in.FetchTime, "how long one of them holds its permit", nil},
			{"permits", "fetch permits", &in.Permits, "evento.es.fetch.concurrency", []string{fact("fetch_concurrency")}},
		},
		switches: []sizeSwitch{{"queue-first", &in.QueueFirst, "a server before 2.4.0: no thread beyond core before the queue is full",
			"cap:pool_size" + bus + " < cap:pool_max" + bus + " and cap:waiting" + bus + " > 0"}},
		anchor: "cap:pool_max" + bus,
		result: func() (sizing.Result, error) { return in.Result() },
	}
}

func coordinatorTool() *sizeTool {
	var in sizing.Coordinator
	const jobs, bench = `{system="coordinator"}`, `{system="coordinator-bench"}`
	return &sizeTool{
		name:  "coordinator",
		short: "a job queue: ceiling, bursts, limit on active jobs, serial writer",
		examples: []string{
			"capdoctor size coordinator --slots 12 --service 500ms --jobs 240 --limit 24",
			"capdoctor size coordinator --rate 896 --connections 4 \\\n    --ack 4.2ms --compared 4843",
			"capdoctor size coordinator --bench before.txt --bench after.txt \\\n    --slots 12 --service 500ms",
		},
		fields: []sizeField{
			{"slots", "slots", &in.Slots, "execution slots of all workers", []string{"cap:pool_max" + jobs}},
			{"service", "service time", &in.Service, "how long one job takes in its slot", []string{
				`capdoctor_log_span_seconds_sum{span="service"} / (capdoctor_log_span_seconds_count{span="service"} > 0)`}},
			{"limit", "limit", &in.Limit, "active jobs beyond which submissions are refused", []string{"cap:admission_limit" + jobs}},
			{"jobs", "jobs", &in.Jobs, "that come at once", []string{"max(cap:bench_requested" + bench + ")"}},
			{"deadline", "deadline", &in.Deadline, "how long a caller waits for a job", nil},
			{"connections", "connections", &in.Connections, "clients that submit one job after the other", []string{"max(cap:bench_clients" + bench + ")"}},
			{"ack", "acknowledgement", &in.Ack, "median time until a submission is acknowledged", []string{"max(cap:ack_seconds" + bench + ") > 0"}},
			{"rate", "completed rate", &in.Rate, "completions measured, per second", []string{"max(cap:bench_rate" + bench + ") > 0"}},
			{"compared", "rate without durable write", &in.Compared, "completions measured without the durable write", nil},
		},
		anchor: "cap:pool_max" + jobs,
		result: func() (sizing.Result, error) { return in.Result() },
		bench:  func() (slots, service sizing.Number) { return in.Slots, in.Service },
	}
}

func osbTool() *sizeTool {
	var in sizing.OSB
	return &sizeTool{
		name:  "osb",
		short: "an OSB throttling value divided by the servers of the domain",
		examples: []string{
			"capdoctor size osb --throttle 20 --servers 8",
			"capdoctor size osb --throttle 40 --servers 8 --batch 10 --queue 0 --backend 40",
			"capdoctor size osb --stats statistics.csv",
		},
		stats: true,
		fields: []sizeField{
			{"throttle", "throttle", &in.Throttle, "maximum concurrency of the business service", []string{fact("limit")}},
			{"servers", "servers", &in.Servers, "managed servers of the domain", []string{fact("nodes")}},
			{"backend", "backend", &in.Backend, "calls the backend bears at once", []string{fact("backend_limit")}},
			{"batch", "batch", &in.Batch, "branches of a Split-Join that start at once", []string{fact("batch")}},
			{"parents", "parents", &in.Parents, "Split-Joins at once on one server", nil},
			{"queue", "throttling queue", &in.Queue, "length of the throttling queue", []string{fact("queue_capacity")}},
			{"service", "service time", &in.Service, "how long one call takes", nil},
			{"expiration", "expiration", &in.Expiration, "message expiration in the throttling queue", nil},
		},
		anchor: `cap:pool_size{system="weblogic"}`,
		result: func() (sizing.Result, error) { return in.Result() },
	}
}

func pulsarTool() *sizeTool {
	var in sizing.Pulsar
	return &sizeTool{
		name:  "pulsar",
		short: "Pulsar limits per second: nodes, hidden peaks, partitions",
		examples: []string{
			"capdoctor size pulsar --limit 1000 --usage 750 --nodes 5 --node-usage 150",
			"capdoctor size pulsar --limit 1000 --average 200",
			"capdoctor size pulsar --target 18000 --partition 5000",
			"capdoctor size pulsar --limit 100 --sent 100 --sent-by 400ms",
		},
		fields: []sizeField{
			{"limit", "limit", &in.Limit, "messages per second of the cluster", []string{known("limit")}},
			{"usage", "usage", &in.Usage, "of it in the last second", []string{`sum(cap:offered_rate{system="pulsar"})`}},
			{"nodes", "nodes", &in.Nodes, "brokers", []string{known("nodes"), `count(count by (instance) (cap:offered_rate{system="pulsar"}))`}},
			{"node-usage", "node usage", &in.NodeUsage, "of one broker", []string{`sum by (instance) (cap:offered_rate{system="pulsar"})`}},
			{"average", "average", &in.Average, "rate averaged over a minute", []string{`sum(cap:offered_rate{system="pulsar"}) > 0`}},
			{"fanout", "fan-out", &in.FanOut, "subscriptions that read each message", nil},
			{"sent", "sent", &in.Sent, "messages sent in the present window", nil},
			{"sent-by", "sent by", &in.SentBy, "from the start of the window until then", nil},
			{"window", "window", &in.Window, "length of the window (default 1s)", []string{known("window_seconds")}},
			{"target", "target", &in.Target, "rate to be reached on partitions", nil},
			{"partition", "partition limit", &in.Partition, "limit of one partition (default 5000)", nil},
			{"alarm", "alarm", &in.Alarm, "share of a limit at which to act (default 0.8)", nil},
			{"tick", "tick", &in.Tick, "time between two checks of a partition's quota (default 50ms)", nil},
			{"inflow", "inflow", &in.Inflow, "rate that comes to a partition between two checks", nil},
		},
		anchor: `sum by (instance) (cap:offered_rate{system="pulsar"})`,
		result: func() (sizing.Result, error) { return in.Result() },
	}
}
