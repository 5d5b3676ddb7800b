package evolve

import (
	"cmp"
	"slices"

	"dsd/crash/candidate"
)

const (
	// populationSize is N of [EVO algorithm 1]. The paper begins with 50 and tries larger
	// populations, of up to 300, when the time is over [EVO IV].
	populationSize = 100
	// maxEqual is the number of candidates of the population that may have the same fitness:
	// many equal ones would crowd out the others.
	maxEqual = populationSize / 3
)

// individual is a candidate of the population.
type individual struct {
	prog    candidate.Program
	fitness float64
	// distance is the distance along the stack to the target crash; see candidate.Runner.
	distance float32
}

// population is a set of candidates, fittest first.
type population struct {
	list []individual
	// stale counts the generations since the fitness of the best one improved.
	stale int
}

// insert adds candidates and keeps the fittest [EVO algorithm 1, lines 23 and 24]. Of equally fit
// ones it prefers the shorter, and of those the newer: drifting on a plateau finds its edge.
func (p *population) insert(offspring []individual) {
	best := p.best()
	p.list = append(slices.Clone(offspring), p.list...)
	slices.SortStableFunc(p.list, func(a, b individual) int {
		return cmp.Or(cmp.Compare(a.fitness, b.fitness), len(a.prog)-len(b.prog))
	})
	var kept []individual
	equal := 0
	for _, x := range p.list {
		if len(kept) > 0 && kept[len(kept)-1].fitness == x.fitness {
			if equal++; equal >= maxEqual {
				continue
			}
		} else {
			equal = 0
		}
		if kept = append(kept, x); len(kept) == populationSize {
			break
		}
	}
	p.list = kept
	if p.stale++; p.best() < best {
		p.stale = 0
	}
}

// best returns the fitness of the fittest candidate, worstFitness if there is none.
func (p *population) best() float64 {
	if len(p.list) == 0 {
		return worstFitness
	}
	return p.list[0].fitness
}

// bound returns the greatest fitness value that gets into the population.
func (p *population) bound() float64 {
	if len(p.list) < populationSize {
		return worstFitness
	}
	return p.list[len(p.list)-1].fitness
}

// restart removes all but the fittest twentieth.
func (p *population) restart() {
	p.list = p.list[:min(len(p.list), populationSize/20)]
	p.stale = 0
}
