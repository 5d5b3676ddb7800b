package schemas

// Baseline says how a document differs from one of before.
type Baseline struct {
	// New and Known count the warnings or crashes that the document of before does not, or does, have.
	New   int `json:"new"`
	Known int `json:"known"`
	// Gone are those that only the document of before has, in its order.
	Gone []Gone `json:"gone"`
}

// Gone is a warning or crash of a document of before.
type Gone struct {
	ID          string `json:"id"`
	Fingerprint string `json:"fingerprint"`
	Kind        Kind   `json:"kind"`
	Func        string `json:"func"`
	Pos         string `json:"pos"`
}
