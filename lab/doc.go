// Package lab holds discrete-event models of systems that fail: an Evento server
// with its thread pool and an importer that writes through it (Model), a task
// coordinator (Coordinator), a domain of Oracle Service Bus servers (Domain), the
// brokers of a Pulsar cluster (Brokers), a pool of threads that serves calls from
// outside (Service), consumers of a log (Group) and a connection pool (Pool).
// They make metric pages and logs in the formats of the real ones, for
// demonstrations, drills and cases.
//
// Time is virtual: a System does nothing until RunTo moves its clock, reads no
// other clock, and draws from generators seeded by its configuration. The same
// configuration gives the same bytes, in whatever steps the clock is moved.
//
// # The Evento model
//
// A writer sends a write, waits for the answer, thinks for 20 ms and sends the
// next. A write takes a thread of the server's pool and keeps it until the
// bundle's handler has answered. The handler works 0.1 s of its own and needs
// two answers, of 0.1 s each, to requests that take a thread of the same pool.
//
// Every request has a deadline, 30 s. Its sender leaves at the first sweep
// after it; nobody tells the server. What is queued is still served, and a
// thread waits for a handler for another full deadline from the moment it took
// the write up. A handler whose own request has expired gives up; one that is
// late may still have its write applied, or find that its thread has gone.
//
// The pool is a Java ThreadPoolExecutor in its old manner (core threads, then
// the queue, then more threads) or growing first, as from Evento 2.4. When pool
// and queue are full the thread that reads the connection runs the request, and
// reads nothing meanwhile; such a request stays in the server's count of
// submitted ones for ever, as in the real one.
//
// Event fetches share a fair semaphore of 4. Every nested request, and every
// write to publish its event, takes one of ten database connections for a
// moment; locks hold five of them for life.
// Processor time is what the work costs: 58 ms for a write with its two
// requests, and 0.04 processors at rest.
//
// # Where the figures come from
//
// Nothing below is a constant of the model. A write's own work lies in thirds
// before, between and after its two requests, and all times vary evenly by a
// tenth. With 16 threads that gives
//
//	writers   writes/s
//	      8       25.0
//	     12       27.8
//	     16       18.5
//	     18       13.8
//	     20        9.2   or 0, once all 16 threads wait for a thread
//
// and with a pool that grows to 64 first, 20 writers make 62.5. Without
// contention a write takes 0.3 s and its writer 0.32 s: 8 writers make 25.0/s.
// Each write uses 0.5 thread seconds, so 16 threads could make 32/s, were they
// not held by writes that wait: above 12 writers each one more costs 2.3/s.
//
// Other arrangements were tried, with 12 writers for comparison. All own work
// first or last gives 29 to 30 writes a second; times that vary evenly by half
// give 27.6, exponential ones 27.3 and a pool that is stuck from 16 writers on;
// no own work at all gives 33, and 36 with 8 writers. All of them have the knee
// and the stuck state.
//
// # What is not modelled
//
// The network takes no time. A handler that times out sends its caller no early
// error: the caller's own deadline ends the wait. A database connection is
// waited for without limit. Consumers are handled as fast as events come.
//
// # The other models
//
// A coordinator has one thread. Each submission, assignment and completion takes
// its time on it, and one durable write each. Published measurements against the
// model's: 240 jobs of 0.5 s on 12 slots 23.6 jobs/s, p50 5.04 s, p99 10.03 s
// (23.8, 5.01, 9.97); with a limit of 24 active jobs 216 refused, 22.8 jobs/s,
// p99 1.03 s (216, 23.6, 1.01); 2,000 short jobs 896 jobs/s in a file and 4,843
// in memory (898, 4,878). A cold virtual machine is not modelled.
//
// A domain divides a throttling value by its servers and rounds up: 20 over 2, 4
// and 8 servers are 20, 20 and 24 calls at once. Above the calls that it bears
// the backend needs longer for each, as a step.
//
// Brokers count in windows of a second. A broker's threshold is its own use of
// the last window and what the cluster has left: 150 + 1,000 - 750 = 400, and
// 2,000 for five. Messages arrive each twentieth of a second.
//
// A service takes calls at random times. What they are called is its front's: an
// Envoy cluster with limits and retries before it, an executor or a Resilience4j
// bulkhead of a Spring program, a Go program in a container with a CFS quota.
// Processor time under a quota is shared evenly by what runs and ends for all of
// it when the period's budget is used up. What the callers have given up is
// served all the same. Collections and memory of its programs are in proportion
// to the calls and stop nothing.
//
// A group's consumers poll, work through what they got one by one, and commit; a
// Kafka group and a Pulsar subscription are its fronts. A consumer that has left
// does not hand its partitions to another one.
//
// A coordinator that is started again recovers every job that is not done and
// queues it; what its workers were doing is lost. An attempt that was given up
// keeps its slot until its worker is done. Both are assumptions: the published
// description tells only that accepted jobs are kept and that late results are
// refused.
package lab
