// Judges whether what clients of etcd saw is linearizable, with porcupine:
//
//	linearizable FILE [VISUALIZATION.html]
//
// FILE has one JSON object per line, one per operation. Exit code 0: linearizable. 1: not. 2: bad input or no verdict.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// Each key gets this long. Keys have few operations with an unknown outcome, so a verdict takes milliseconds.
const limit = 2 * time.Minute

type operation struct {
	Client   int    `json:"client"`
	Key      string `json:"key"`
	Kind     string `json:"kind"`     // get, put, cas
	Expected string `json:"expected"` // cas: the value that must be there
	Value    string `json:"value"`    // put, cas: the new value; get: the value that was read, empty if there was none
	Outcome  string `json:"outcome"`  // ok; refused (cas: another value was there); unknown (no answer)
	Call     int64  `json:"call"`     // nanoseconds
	Return   int64  `json:"return"`   // nanoseconds; ignored if the outcome is unknown
}

// A register that is read, written, and compared and set. The state is its value.
var register = porcupine.Model{
	Init: func() interface{} { return "" },
	Step: func(state, input, _ interface{}) (bool, interface{}) {
		value, op := state.(string), input.(operation)
		switch op.Kind {
		case "get":
			return op.Value == value, value
		case "put":
			return true, op.Value
		default:
			return compareAndSet(value, op)
		}
	},
	DescribeOperation: func(input, _ interface{}) string {
		op := input.(operation)
		return fmt.Sprintf("%s %s %s %s", op.Kind, op.Expected, op.Value, op.Outcome)
	},
}

func compareAndSet(value string, op operation) (bool, interface{}) {
	matches := value == op.Expected
	switch {
	case op.Outcome == "ok":
		return matches, op.Value
	case op.Outcome == "refused":
		return !matches, value
	case matches:
		return true, op.Value
	default:
		return true, value
	}
}

func main() {
	if len(os.Args) < 2 {
		fail(fmt.Errorf("usage: linearizable FILE [VISUALIZATION.html]"))
	}
	histories, count, err := read(os.Args[1])
	if err != nil {
		fail(err)
	}
	for key, history := range histories {
		result, info := porcupine.CheckOperationsVerbose(register, history, limit)
		if result == porcupine.Ok {
			continue
		}
		fmt.Printf("key %s with %d operations: %s\n", key, len(history), result)
		visualize(info)
		if result == porcupine.Unknown {
			os.Exit(2)
		}
		os.Exit(1)
	}
	fmt.Printf("linearizable: %d operations on %d keys\n", count, len(histories))
}

func read(path string) (map[string][]porcupine.Operation, int, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	histories, count := map[string][]porcupine.Operation{}, 0
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var op operation
		if err := json.Unmarshal(lines.Bytes(), &op); err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", count+1, err)
		}
		end := op.Return
		if op.Outcome == "unknown" {
			end = math.MaxInt64 // it may take effect at any later time
		}
		histories[op.Key] = append(histories[op.Key],
			porcupine.Operation{ClientId: op.Client, Input: op, Call: op.Call, Output: nil, Return: end})
		count++
	}
	return histories, count, lines.Err()
}

func visualize(info porcupine.LinearizationInfo) {
	if len(os.Args) < 3 {
		return
	}
	if err := porcupine.VisualizePath(register, info, os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "linearizable:", err)
	os.Exit(2)
}
