package logparse

// A keyKind says what a member of a JSON log line is.
type keyKind uint8

const (
	keyOther keyKind = iota
	keyTime
	keyNanos // the part of a second that goes with keyTime
	keyLevel
	keyPriority // a level as a digit of syslog
	keyMessage
	keyTrace
	keyLogger
	keyThread
	keySource
	keyStatus
	keyKinds
)

// A jsonPlace is the object that a member is in.
type jsonPlace uint8

const (
	inNone jsonPlace = iota
	inTop
	inLog
	inError
	inProcess
	inThread
	inHTTP
	inResponse
	inTime
	inInstant
	inRecord // a log record of OpenTelemetry
	inBody   // the body of one
)

// innerContext says whether the object under key is worth entering.
func innerContext(in jsonPlace, key []byte) jsonPlace {
	switch in {
	case inTop:
		switch string(key) {
		case "log":
			return inLog
		case "error", "err", "exception", "thrown":
			return inError
		case "process":
			return inProcess
		case "http":
			return inHTTP
		case "res", "response":
			return inResponse
		case "t":
			return inTime
		case "instant":
			return inInstant
		}
	case inProcess:
		if string(key) == "thread" {
			return inThread
		}
	case inHTTP:
		if string(key) == "response" {
			return inResponse
		}
	case inRecord:
		if string(key) == "body" {
			return inBody
		}
	}
	return inNone
}

// classifyKey says what the member key is, and how good a source it is for
// that: of several the one with the highest rank is taken.
func classifyKey(in jsonPlace, key []byte) (keyKind, uint8) {
	if in == inTop {
		return classifyTop(key)
	}
	switch in {
	case inLog:
		switch string(key) {
		case "level":
			return keyLevel, 2
		case "logger":
			return keyLogger, 3
		}
	case inError:
		switch string(key) {
		case "stack_trace", "stack", "stacktrace", "extendedStackTrace":
			return keyTrace, 2
		}
	case inThread:
		if string(key) == "name" {
			return keyThread, 2
		}
	case inResponse:
		if string(key) == "status_code" || string(key) == "statusCode" || string(key) == "status" {
			return keyStatus, 1
		}
	case inTime:
		if string(key) == "$date" {
			return keyTime, 3
		}
	case inInstant:
		switch string(key) {
		case "epochSecond":
			return keyTime, 3
		case "nanoOfSecond":
			return keyNanos, 1
		}
	case inRecord:
		return classifyRecord(key)
	case inBody:
		if string(key) == "stringValue" {
			return keyMessage, 1
		}
	}
	return keyOther, 0
}

func classifyTop(key []byte) (keyKind, uint8) {
	switch string(key) {
	case "@timestamp", "@t", "timestamp", "time", "ts", "__REALTIME_TIMESTAMP":
		return keyTime, 3
	case "asctime", "datetime", "eventTime", "timeMillis", "Timestamp", "log_time", "time_iso8601", "start_time", "t":
		return keyTime, 2
	case "level", "log.level", "@l", "severity", "lvl", "levelname", "loglevel", "log_level", "error_severity", "severity_text", "level_name":
		return keyLevel, 3
	case "s":
		return keyLevel, 1
	case "PRIORITY":
		return keyPriority, 1
	case "message", "MESSAGE", "short_message":
		return keyMessage, 4
	case "msg", "@m":
		return keyMessage, 3
	case "@mt", "body", "textPayload", "Message":
		return keyMessage, 2
	case "event":
		return keyMessage, 1
	case "stack_trace", "error.stack_trace", "@x":
		return keyTrace, 3
	case "exception", "stacktrace", "stack", "exc_info", "error_stack", "errorVerbose":
		return keyTrace, 2
	case "full_message":
		return keyTrace, 1
	case "logger_name", "logger", "log.logger", "loggerName", "_log_logger":
		return keyLogger, 3
	case "name", "SYSLOG_IDENTIFIER", "SourceContext":
		return keyLogger, 2
	case "c":
		return keyLogger, 1
	case "thread_name", "thread", "process.thread.name", "threadName", "_process_thread_name", "_thread_name":
		return keyThread, 2
	case "ctx":
		return keyThread, 1
	case "_SYSTEMD_UNIT", "container_name", "CONTAINER_NAME":
		return keySource, 2
	case "status", "statusCode", "status_code", "http.response.status_code", "response_code", "http_status":
		return keyStatus, 2
	}
	return keyOther, 0
}

func classifyRecord(key []byte) (keyKind, uint8) {
	switch string(key) {
	case "timeUnixNano":
		return keyTime, 2
	case "observedTimeUnixNano":
		return keyTime, 1
	case "severityText":
		return keyLevel, 1
	}
	return keyOther, 0
}
