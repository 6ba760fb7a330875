package lab

import (
	"fmt"
	"strconv"
	"strings"
)

// An Envoy proxy before the service: its cluster "stock".
const (
	envoyTarget  = "envoy"
	envoyCluster = `envoy_cluster_name="stock"`
)

func envoyFront() front {
	return front{targets: []Target{{envoyTarget, "/stats/prometheus"}}, page: envoyPage, begin: nothing}
}

// A stats is a page as Envoy writes it: TYPE lines, no HELP, whole numbers.
type stats struct{ out strings.Builder }

func (p *stats) add(name, kind string, rows ...row) {
	p.out.WriteString("# TYPE " + name + " " + kind + "\n")
	for _, r := range rows {
		p.out.WriteString(name + "{" + r.labels + "} " + strconv.FormatFloat(r.value, 'f', -1, 64) + "\n")
	}
}

// envoyPage writes what Envoy tells of the cluster. Every answer to a caller is
// a completed request, those that Envoy gives itself (503 for an overflow, 504
// for a timeout) too.
func envoyPage(s *Service, _ string) []byte {
	p, x, c := &stats{}, s.proxy, &s.cfg
	counter := func(name string, v float64) { p.add("envoy_cluster_"+name, "counter", row{envoyCluster, v}) }
	gauge := func(name string, v float64) { p.add("envoy_cluster_"+name, "gauge", row{envoyCluster, v}) }
	flag := func(name string, open bool) {
		v := 0.0
		if open {
			v = 1
		}
		gauge("circuit_breakers_default_"+name, v)
	}
	ok := s.before() + float64(x.ends[visitAnswered].count)
	failed := float64(x.ends[visitExpired].count + x.ends[visitRefused].count)
	cut := float64(x.tryTimeouts + x.ends[visitExpired].count)
	gauge("membership_healthy", 4)
	gauge("membership_total", 4)
	gauge("upstream_cx_active", float64(x.most))
	counter("upstream_cx_connect_fail", 0)
	counter("upstream_cx_connect_timeout", 0)
	counter("upstream_cx_overflow", float64(x.full))
	counter("upstream_cx_pool_overflow", 0)
	counter("upstream_cx_total", float64(x.most)+cut)
	gauge("upstream_rq_active", float64(x.active))
	counter("upstream_rq_completed", ok+failed)
	gauge("upstream_rq_pending_active", float64(x.pending))
	counter("upstream_rq_pending_overflow", float64(x.overflow))
	counter("upstream_rq_per_try_timeout", float64(x.tryTimeouts))
	counter("upstream_rq_retry", float64(s.counts.Retried))
	counter("upstream_rq_retry_limit_exceeded", float64(x.ends[visitExpired].count))
	counter("upstream_rq_retry_overflow", float64(x.denied))
	counter("upstream_rq_retry_success", float64(x.again))
	counter("upstream_rq_timeout", float64(x.ends[visitExpired].count))
	counter("upstream_rq_total", s.before()+float64(x.connections))
	rows := []row{{envoyCluster + `,envoy_response_code_class="2"`, ok}}
	if failed > 0 {
		rows = append(rows, row{envoyCluster + `,envoy_response_code_class="5"`, failed})
	}
	p.add("envoy_cluster_upstream_rq_xx", "counter", rows...)
	flag("cx_open", x.active >= c.MaxConnections)
	flag("rq_open", false)
	flag("rq_pending_open", x.pending >= c.MaxPending)
	flag("rq_retry_open", c.MaxRetries > 0 && x.retrying >= c.MaxRetries)
	p.out.WriteString(fmt.Sprintf("# TYPE envoy_server_concurrency gauge\nenvoy_server_concurrency{} %d\n", c.Cores))
	p.out.WriteString(fmt.Sprintf("# TYPE envoy_server_uptime gauge\nenvoy_server_uptime{} %d\n", int(s.uptime().Seconds())))
	return []byte(p.out.String())
}
