package lab

import (
	"fmt"
	"strconv"
	"strings"
)

// A Go program in a container, and the kubelet that tells of the container.
const (
	apiTarget     = "api"
	kubeletTarget = "kubelet"
	container     = `container="api",id="/kubepods.slice/pod9f2c/4b1d",image="registry.acme.example/api:41",name="4b1d",namespace="shop",pod="api-7d4f9-xk2lp"`
)

func containerFront() front {
	return front{
		targets: []Target{{apiTarget, "/metrics"}, {kubeletTarget, "/metrics/cadvisor"}},
		page: func(s *Service, target string) []byte {
			if target == kubeletTarget {
				return cadvisorPage(s)
			}
			return goPage(s)
		},
		begin: nothing,
	}
}

// A goSheet is a page as Go's client library writes it.
type goSheet struct{ out strings.Builder }

func (p *goSheet) add(name, kind, help string, rows ...string) {
	p.out.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " " + kind + "\n")
	for _, r := range rows {
		p.out.WriteString(r + "\n")
	}
}

func (p *goSheet) one(name, kind, help string, v float64) {
	p.add(name, kind, help, name+" "+goNumber(v))
}

func goNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func goPage(s *Service) []byte {
	p := &goSheet{}
	answered, expired := &s.proxy.ends[visitAnswered], &s.proxy.ends[visitExpired]
	collections := 1200 + s.counts.Served/40
	const gc = "go_gc_duration_seconds"
	p.add(gc, "summary", "A summary of the wall-time pause (stop-the-world) duration in garbage collection cycles.",
		gc+`{quantile="0.5"} 6.1e-05`, gc+`{quantile="1"} 0.00031`, gc+"_sum "+goNumber(round4(float64(collections)*7e-05)),
		gc+"_count "+goNumber(float64(collections)))
	p.one("go_goroutines", "gauge", "Number of goroutines that currently exist.", float64(9+s.exec.busy.value))
	p.one("go_sched_gomaxprocs_threads", "gauge", "The current runtime.GOMAXPROCS setting.", float64(s.cfg.Cores))
	const name = "http_request_duration_seconds"
	p.add(name, "histogram", "Time to answer a request.",
		name+`_bucket{le="+Inf"} `+goNumber(s.before()+float64(answered.count)),
		name+"_sum "+goNumber(s.before()*s.cfg.Cost.Seconds()+answered.sum.Seconds()),
		name+"_count "+goNumber(s.before()+float64(answered.count)))
	p.one("http_requests_in_flight", "gauge", "Requests being served.", float64(s.inFlight.value))
	p.add("http_requests_total", "counter", "Requests by status code.",
		fmt.Sprintf(`http_requests_total{code="200",method="get"} %s`, goNumber(s.before()+float64(answered.count))),
		fmt.Sprintf(`http_requests_total{code="504",method="get"} %d`, expired.count))
	p.one("process_cpu_seconds_total", "counter", "Total user and system CPU time spent in seconds.",
		round4(s.before()*s.cfg.Cost.Seconds()+s.cpuUsed().Seconds()))
	p.one("process_start_time_seconds", "gauge", "Start time of the process since unix epoch in seconds.", float64(s.begun().Unix()))
	return []byte(p.out.String())
}

// cadvisorPage writes what the kubelet tells of the container: counters with the
// time at which they were read.
func cadvisorPage(s *Service) []byte {
	p, q := &goSheet{}, s.quota
	at := s.start.Add(s.agenda.now).UnixMilli()
	line := func(name, labels string, v float64) string {
		return fmt.Sprintf("%s{%s} %s %d", name, labels, goNumber(v), at)
	}
	counter := func(name, help, labels string, v float64) { p.add(name, "counter", help, line(name, labels, v)) }
	old := aged.Seconds() / quotaPeriod.Seconds()
	counter("container_cpu_cfs_periods_total", "Number of elapsed enforcement period intervals.", container, old+float64(q.periods))
	counter("container_cpu_cfs_throttled_periods_total", "Number of throttled period intervals.", container, float64(q.throttled))
	counter("container_cpu_cfs_throttled_seconds_total", "Total time duration the container has been throttled.", container, round4(q.stood.Seconds()))
	counter("container_cpu_usage_seconds_total", "Cumulative cpu time consumed in seconds.", container+`,cpu="total"`,
		round4(s.before()*s.cfg.Cost.Seconds()+q.spent(s.agenda.now).Seconds()))
	for _, g := range []struct {
		name, help string
		v          float64
	}{
		{"container_spec_cpu_period", "CPU period of the container.", float64(quotaPeriod.Microseconds())},
		{"container_spec_cpu_quota", "CPU quota of the container.", s.cfg.Quota * float64(quotaPeriod.Microseconds())},
	} {
		p.add(g.name, "gauge", g.help, line(g.name, container, g.v))
	}
	return []byte(p.out.String())
}
