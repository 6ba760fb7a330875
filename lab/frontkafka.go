package lab

import (
	"fmt"
	"time"
)

// Consumers of a Kafka topic inside a Spring program, and the exporter that
// tells of their group.
const (
	billingTarget  = "billing"
	exporterTarget = "kafka-exporter"
	groupTopic     = "orders"
	groupName      = "billing"
)

func kafkaFront() groupFront {
	return groupFront{
		targets: []Target{{billingTarget, actuatorPath}, {exporterTarget, "/metrics"}}, logs: []string{billingTarget},
		page: func(g *Group, target string) []byte {
			if target == exporterTarget {
				return kafkaExporterPage(g)
			}
			return kafkaClientPage(g)
		},
	}
}

func (r *reader) clientID() string { return fmt.Sprintf("consumer-%s-%d", groupName, r.number) }

func (g *Group) logPollTimeout(r *reader) {
	g.log.write(entry{at: g.agenda.now, level: "WARN", thread: "kafka-coordinator-heartbeat-thread | " + groupName,
		logger: "o.a.k.c.c.internals.ConsumerCoordinator",
		message: fmt.Sprintf("[Consumer clientId=%s, groupId=%s] consumer poll timeout has expired. This means the time between subsequent "+
			"calls to poll() was longer than the configured max.poll.interval.ms, which typically implies that the poll loop is spending too "+
			"much time processing messages.", r.clientID(), groupName)})
}

// kafkaClientPage writes the Java client's metrics as Micrometer shows them.
func kafkaClientPage(g *Group) []byte {
	p, now := &page{}, g.agenda.now
	processMeters(p, g.start.Add(-aged), now+aged, round4(0.01+0.2*float64(len(g.consumers))*g.cfg.Rate/1000), 4)
	const action = `action="end of minor GC",cause="G1 Evacuation Pause",gc="G1 Young Generation"`
	collections := (g.done + int64(aged.Seconds()*g.cfg.Rate)) / 400
	p.summary("jvm_gc_pause_seconds", "Time spent in GC pause", []span{{action, collections, float64(collections) * youngPause.Seconds(), youngPause.Seconds()}})
	p.gauge("jvm_memory_max_bytes", "The maximum amount of memory in bytes that can be used for memory management", []row{{`area="heap",id="G1 Old Gen"`, heapMax}})
	p.gauge("jvm_memory_used_bytes", "The amount of used memory", []row{{`area="heap",id="G1 Old Gen"`, oldBytes}})
	var ages, assigned, consumed, lags []row
	for _, r := range g.consumers {
		id := fmt.Sprintf(`client_id=%q,kafka_version="3.7.0",spring_id="kafkaConsumerFactory.%s"`, r.clientID(), r.clientID())
		owned := float64(len(r.parts))
		if r.gone {
			owned = 0
		}
		ages = append(ages, row{id, float64((now - r.polled) / time.Second)})
		assigned = append(assigned, row{id, owned})
		consumed = append(consumed, row{id + fmt.Sprintf(",topic=%q", groupTopic), float64(r.consumed) + aged.Seconds()*g.cfg.Rate/float64(len(g.consumers))})
		for i, part := range g.parts {
			if i%len(g.consumers)+1 == r.number {
				lags = append(lags, row{fmt.Sprintf(`client_id=%q,kafka_version="3.7.0",partition="%d",spring_id="kafkaConsumerFactory.%s",topic=%q`,
					r.clientID(), i, r.clientID(), groupTopic), float64(part.end - part.position)})
			}
		}
	}
	p.gauge("kafka_consumer_last_poll_seconds_ago", "The number of seconds since the last poll() invocation.", ages)
	p.gauge("kafka_consumer_coordinator_assigned_partitions", "The number of partitions currently assigned to this consumer", assigned)
	p.counter("kafka_consumer_fetch_manager_records_consumed", "The total number of records consumed", consumed)
	p.gauge("kafka_consumer_fetch_manager_records_lag", "The latest lag of the partition", lags)
	return p.bytes()
}

// kafkaExporterPage writes what danielqsj/kafka_exporter tells of the group.
func kafkaExporterPage(g *Group) []byte {
	p := &goSheet{}
	var offsets, ends, lags []string
	row := func(name, labels string, v int64) string { return fmt.Sprintf("%s{%s} %d", name, labels, v) }
	members := 0
	for _, r := range g.consumers {
		if !r.gone {
			members++
		}
	}
	for i, part := range g.parts {
		group := fmt.Sprintf(`consumergroup=%q,partition="%d",topic=%q`, groupName, i, groupTopic)
		offsets = append(offsets, row("kafka_consumergroup_current_offset", group, offsetStart+part.committed))
		lags = append(lags, row("kafka_consumergroup_lag", group, part.end-part.committed))
		ends = append(ends, row("kafka_topic_partition_current_offset", fmt.Sprintf(`partition="%d",topic=%q`, i, groupTopic), offsetStart+part.end))
	}
	p.one("kafka_brokers", "gauge", "Number of Brokers in the Kafka Cluster.", 3)
	p.add("kafka_consumergroup_current_offset", "gauge", "Current Offset of a ConsumerGroup at Topic/Partition", offsets...)
	p.add("kafka_consumergroup_lag", "gauge", "Current Approximate Lag of a ConsumerGroup at Topic/Partition", lags...)
	p.add("kafka_consumergroup_members", "gauge", "Amount of members in a consumer group", row("kafka_consumergroup_members", fmt.Sprintf("consumergroup=%q", groupName), int64(members)))
	p.add("kafka_topic_partition_current_offset", "gauge", "Current Offset of a Broker at Topic/Partition", ends...)
	p.add("kafka_topic_partitions", "gauge", "Number of partitions for this Topic", row("kafka_topic_partitions", fmt.Sprintf("topic=%q", groupTopic), int64(len(g.parts))))
	return []byte(p.out.String())
}
