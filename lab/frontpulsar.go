package lab

import "fmt"

// A subscription of a Pulsar topic, as its broker tells of it.
func subscriptionFront() groupFront {
	return groupFront{targets: []Target{{brokerName(0), "/metrics"}}, page: subscriptionPage}
}

const delayedTopic = "persistent://shop/orders/events"

func subscriptionPage(g *Group, _ string) []byte {
	p := &brokerSheet{cluster: `cluster="pro-1"`}
	p.topic = fmt.Sprintf(`cluster="pro-1",namespace="shop/orders",topic=%q`, delayedTopic)
	var sent, delayed, unacked int64
	for _, part := range g.parts {
		sent += part.end
		delayed += part.end - part.visible
		unacked += part.position - part.committed
	}
	subscription := p.topic + `,subscription="billing"`
	of := func(name string, v int64) {
		p.head(name, "gauge")
		p.row(name, subscription, float64(v))
	}
	p.process("jvm_memory_direct_bytes_used", "gauge", 32<<20)
	p.process("jvm_memory_direct_bytes_max", "gauge", 4<<30)
	p.head("process_cpu_seconds", "counter")
	p.row("process_cpu_seconds_total", p.cluster, round4(900+0.02*g.agenda.now.Seconds()+messageCPU*float64(sent)))
	p.topicGauge("pulsar_producers_count", 2)
	p.topicGauge("pulsar_consumers_count", float64(len(g.consumers)))
	p.topicGauge("pulsar_msg_backlog", float64(g.backlog.value))
	p.topicGauge("pulsar_publish_rate_limit_times", 0)
	p.topicGauge("pulsar_storage_backlog_size", float64(g.backlog.value*messageBytes))
	p.topicGauge("pulsar_storage_backlog_quota_limit", 10<<30)
	p.head("pulsar_in_messages_total", "counter")
	p.row("pulsar_in_messages_total", p.topic, float64(takenBefore+sent))
	of("pulsar_subscription_back_log", g.backlog.value)
	of("pulsar_subscription_back_log_no_delayed", g.backlog.value-delayed)
	of("pulsar_subscription_delayed", delayed)
	of("pulsar_subscription_unacked_messages", unacked)
	of("pulsar_subscription_blocked_on_unacked_messages", 0)
	of("pulsar_subscription_consumers_count", int64(len(g.consumers)))
	p.head("pulsar_out_messages_total", "counter")
	p.row("pulsar_out_messages_total", subscription, float64(takenBefore+g.done+unacked))
	return []byte(p.out.String())
}
