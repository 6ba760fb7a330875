package lab

import (
	"fmt"
	"time"
)

// ProducerLog is the log of the application that publishes: brokers say nothing
// of throttling above DEBUG.
const ProducerLog = "producer"

// producerStatsEvery is the statsInterval of a Pulsar client.
const producerStatsEvery = time.Minute

// producerLayout is the pattern of the application.
func producerLayout(at time.Time, e *entry) string {
	return fmt.Sprintf("%s,%03d+0000 [%s] %-5s %s - ", at.Format("2006-01-02T15:04:05"), at.Nanosecond()/1e6, e.thread, e.level, e.logger)
}

func (m *Brokers) logf(thread, logger, format string, args ...any) {
	m.log.write(entry{at: m.agenda.now, level: "INFO", thread: thread, logger: logger, message: fmt.Sprintf(format, args...)})
}

// logStats is the Pulsar client's own line about its last minute.
func (m *Brokers) logStats() {
	var rate float64
	for _, b := range m.brokers {
		rate += b.acks.perSecond(m.agenda.now)
	}
	worst := m.brokers[0].acks
	ms := func(q float64) float64 { return float64(worst.quantile(q)) / 1e6 }
	m.logf("pulsar-timer-5-1", "org.apache.pulsar.client.impl.ProducerStatsRecorderImpl",
		"[%s] [pro-1-12-7] Pending messages: 0 --- Publish throughput: %.2f msg/s --- %.2f Mbit/s --- "+
			"Latency: med: %.3f ms - 95pct: %.3f ms - 99pct: %.3f ms - 99.9pct: %.3f ms - max: %.3f ms --- "+
			"Ack received rate: %.2f ack/s --- Failed messages: 0",
		m.cfg.Topic, rate, rate*messageBytes*8/1e6, ms(0.5), ms(0.95), ms(0.99), ms(0.999), ms(1), rate)
}

// LogNames lists the producer.
func (m *Brokers) LogNames() []string { return []string{ProducerLog} }

// Logs returns the lines that the producer's log has got since the last call.
// Times are UTC.
func (m *Brokers) Logs(name string) []LogLine {
	m.mu.Lock()
	defer m.mu.Unlock()
	if name != ProducerLog {
		return nil
	}
	return m.log.drain(m.start, producerLayout)
}
