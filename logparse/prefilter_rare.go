package logparse

import "sync"

// commonText is made of what stands in nearly every log: headers, the words of
// uneventful messages, the parts of class names. A literal is looked for by a
// part of it that holds none of the four-byte runs of this text, if it has one.
const commonText = "2026-03-02 10:15:31.004  INFO 1 --- [io-8080-exec-41] o.h.engine.jdbc.spi.SqlExceptionHelper   : " +
	"2026-03-02T10:15:31,004Z WARN  ERROR [http-nio-8080-exec-3] DEBUG TRACE [main] com.acme.orders.OrderController - " +
	"org.springframework.web.context.support java.util.concurrent java.lang.Thread.run(Thread.java:840) at jdk.internal.reflect. " +
	"order product customer invoice price request requested requests response connection connections connect connected connecting " +
	"thread threads pool executor execution executed processing processed process service services server client message messages " +
	"finished started starting start stopped completed complete completing accepted rejected loaded loading stored updated update " +
	"created create deleted delete received receive sending sent send read reading write written writing timeout timed out waiting " +
	"waited wait failed failure fail error exception handled handler handle session account user users name names index total count " +
	"batch cache refreshed refresh rendered registered register configuration configured config initialized initializing listening " +
	"listen listener with for from into the and not has been are was were this that after before available no connection to host of " +
	"in on is by an id number status code path http https GET POST PUT HTTP/1.1 200 OK content type length application json text html " +
	"null true false value values key keys data database query queries transaction transactions commit rollback select insert table " +
	"tables row rows result results task tasks job jobs worker workers queue queued event events topic partition consumer producer " +
	"offset group broker cluster node nodes state states stream streams file files directory memory size max min current active idle " +
	"closed close closing opened open opening shutdown shutting down ms seconds minutes took duration elapsed average rate per second " +
	"operation operations method class object instance instances version attempt attempting failed system change changed for with idle " +
	"Completed initialization timestamp projection provider provided progress house even \"message\":\" \"level\":\"INFO\" \"logger_name\":\" \"thread_name\":\" \"service\":\" \"time\":\" \"trace\" \"span " +
	"duration: reading written kafka unknown known valid could not within while than more less only again already still "

// byCommonness lists the bytes of log text from the most common one on; bytes
// that are not listed are rarer than all.
const byCommonness = " etaoinsrlc0dm1u2p:.-5h34g678f9bvky/w_x=INTEA[]RDO,qj"

// rarestWindow returns where in s the MinLiteral neighbouring bytes begin that
// are the least common in logs, and how rare they are; clean windows, which
// hold no gram of commonText, have at least cleanScore.
func rarestWindow(s string) (offset, score int) {
	score = -1
	for o := 0; o+MinLiteral <= len(s); o++ {
		if n := windowScore(s[o : o+MinLiteral]); n > score {
			offset, score = o, n
		}
	}
	return offset, score
}

// A gram that is not common counts gramScore; cleanScore is a window of them.
const (
	gramScore  = 1000
	cleanScore = stride * gramScore
)

// A gramSet holds grams by their hash, of which few meet.
type gramSet [1 << hashBits]bool

// commonGrams returns the runs of gramLen bytes of commonText.
var commonGrams = sync.OnceValue(func() *gramSet {
	set := new(gramSet)
	for o := 0; o+gramLen <= len(commonText); o++ {
		set[slotAt(commonText, o)] = true
	}
	return set
})

// slotAt returns the slot of the gram at s[o:].
func slotAt(s string, o int) uint64 {
	at, _ := hashOf(uint64(s[o]) | uint64(s[o+1])<<8 | uint64(s[o+2])<<16 | uint64(s[o+3])<<24 | uint64(s[o+4])<<32)
	return at
}

func windowScore(w string) int {
	common, score := commonGrams(), 0
	for o := range stride {
		if !common[slotAt(w, o)] {
			score += gramScore
		}
	}
	rarity := byteRarity()
	for i := range len(w) {
		score += int(rarity[w[i]])
	}
	return score
}

// byteRarity returns a number for every byte that is higher for rarer ones.
var byteRarity = sync.OnceValue(func() *[256]uint8 {
	rarity := new([256]uint8)
	for c := range rarity {
		rarity[c] = uint8(len(byCommonness))
	}
	for i := range len(byCommonness) {
		rarity[byCommonness[i]] = uint8(i)
	}
	return rarity
})
