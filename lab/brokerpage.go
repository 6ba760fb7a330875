package lab

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ackTime is what an acknowledgement takes without throttling.
const ackTime = 2 * time.Millisecond

// acks remembers how long the messages of the last minute waited.
type acks struct {
	recent []wait
	count  int64
	sum    time.Duration
}

type wait struct {
	at, waited time.Duration
	count      int64
}

const acksKept = time.Minute

func (a *acks) see(now, waited time.Duration, n int64) {
	for len(a.recent) > 0 && now-a.recent[0].at > acksKept {
		a.recent = a.recent[1:]
	}
	a.recent = append(a.recent, wait{now, waited + ackTime, n})
	a.count += n
	a.sum += (waited + ackTime) * time.Duration(n)
}

// quantile returns a quantile of the last minute's waits; 0 of none.
func (a *acks) quantile(q float64) time.Duration {
	sorted := slices.SortedFunc(slices.Values(a.recent), func(x, y wait) int { return int(x.waited - y.waited) })
	var all, seen int64
	for _, w := range sorted {
		all += w.count
	}
	for _, w := range sorted {
		seen += w.count
		if float64(seen) >= q*float64(all) {
			return w.waited
		}
	}
	return 0
}

// perSecond is the rate of the last minute.
func (a *acks) perSecond(now time.Duration) float64 {
	var n int64
	for _, w := range a.recent {
		n += w.count
	}
	return round4(float64(n) / max(1, min(acksKept, now).Seconds()))
}

// brokerName is the target of the i-th broker.
func brokerName(i int) string { return "broker-" + itoa(i) }

// Targets lists the brokers.
func (m *Brokers) Targets() []Target {
	var targets []Target
	for i := range m.brokers {
		targets = append(targets, Target{brokerName(i), "/metrics"})
	}
	return targets
}

// Pages returns the brokers' pages.
func (m *Brokers) Pages() map[string][]byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	pages := map[string][]byte{}
	for i := range m.brokers {
		pages[brokerName(i)] = m.page(i)
	}
	return pages
}

// scrape runs to t and reads one page.
func (m *Brokers) scrape(target string, t time.Time) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.agenda.runTo(t.Sub(m.start))
	for i := range m.brokers {
		if brokerName(i) == target {
			return m.page(i)
		}
	}
	return nil
}

// What a message is, and what broker and topic had before.
const (
	messageBytes = 1024
	messageCPU   = 0.0004 // seconds
	takenBefore  = 1_200_000
	eventsBefore = 18
)

// A brokerSheet is a page as a broker writes it: TYPE lines and no HELP.
type brokerSheet struct {
	out     strings.Builder
	cluster string
	topic   string
}

func (p *brokerSheet) head(name, kind string) {
	p.out.WriteString("# TYPE " + name + " " + kind + "\n")
}

func (p *brokerSheet) row(name, labels string, v float64) {
	p.out.WriteString(name + "{" + labels + "} " + javaDouble(v) + "\n")
}

func (p *brokerSheet) process(name, kind string, v float64) {
	p.head(name, kind)
	p.row(name, p.cluster, v)
}

func (p *brokerSheet) topicGauge(name string, v float64) {
	p.head(name, "gauge")
	p.row(name, p.topic, v)
}

// page writes the page of the i-th broker.
func (m *Brokers) page(i int) []byte {
	b := m.brokers[i]
	topic := m.cfg.Topic
	if m.cfg.Brokers > 1 {
		topic = fmt.Sprintf("%s-partition-%d", topic, i)
	}
	namespace := strings.Join(strings.Split(strings.TrimPrefix(topic, "persistent://"), "/")[:2], "/")
	p := &brokerSheet{cluster: `cluster="pro-1"`}
	p.topic = fmt.Sprintf(`cluster="pro-1",namespace=%q,topic=%q`, namespace, topic)
	m.processRows(p, b)
	m.topicRows(p, b)
	return []byte(p.out.String())
}

func (m *Brokers) processRows(p *brokerSheet, b *broker) {
	p.process("jvm_memory_direct_bytes_used", "gauge", 32<<20)
	p.process("jvm_memory_direct_bytes_max", "gauge", 4<<30)
	p.head("process_cpu_seconds", "counter")
	p.row("process_cpu_seconds_total", p.cluster, round4(900+0.02*m.agenda.now.Seconds()+messageCPU*float64(b.taken)))
	p.head("pulsar_broker_publish_latency", "summary")
	for _, q := range []string{"0.5", "0.95", "0.99", "0.999", "1.0"} {
		v, _ := strconv.ParseFloat(q, 64)
		p.row("pulsar_broker_publish_latency", p.cluster+`,quantile="`+q+`"`, float64(b.acks.quantile(v))/1e6)
	}
	p.row("pulsar_broker_publish_latency_count", p.cluster, float64(takenBefore+b.acks.count))
	p.row("pulsar_broker_publish_latency_sum", p.cluster, takenBefore*2.4+round4(float64(b.acks.sum)/1e6))
	p.process("pulsar_broker_throttled_connections", "gauge", 0)
	p.process("pulsar_ml_reads_inflight_bytes", "gauge", -1)
}

func (m *Brokers) topicRows(p *brokerSheet, b *broker) {
	rate := b.acks.perSecond(m.agenda.now)
	p.topicGauge("pulsar_producers_count", float64(m.cfg.Producers))
	p.topicGauge("pulsar_consumers_count", 1)
	p.topicGauge("pulsar_rate_in", rate)
	p.topicGauge("pulsar_rate_out", rate)
	p.topicGauge("pulsar_throughput_in", rate*messageBytes)
	p.topicGauge("pulsar_average_msg_size", messageBytes)
	p.topicGauge("pulsar_msg_backlog", 0)
	p.topicGauge("pulsar_publish_rate_limit_times", float64(eventsBefore+b.throttled))
	p.topicGauge("pulsar_storage_backlog_size", 0)
	p.topicGauge("pulsar_storage_backlog_quota_limit", 10<<30)
	p.topicGauge("pulsar_storage_backlog_quota_limit_time", -1)
	p.topicGauge("pulsar_storage_write_latency_le_5", rate*60)
	p.topicGauge("pulsar_storage_write_latency_overflow", 0)
	p.head("pulsar_in_messages_total", "counter")
	p.row("pulsar_in_messages_total", p.topic, float64(takenBefore+b.taken))
	p.head("pulsar_in_bytes_total", "counter")
	p.row("pulsar_in_bytes_total", p.topic, float64(takenBefore+b.taken)*messageBytes)
	subscription := p.topic + `,subscription="ledger"`
	for _, name := range []string{"pulsar_subscription_back_log", "pulsar_subscription_delayed", "pulsar_subscription_unacked_messages",
		"pulsar_subscription_blocked_on_unacked_messages"} {
		p.head(name, "gauge")
		p.row(name, subscription, 0)
	}
}
