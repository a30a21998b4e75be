package storage

import "math"

// dotSums is the number of sums that dot adds up at the same time.
const dotSums = 4

// dot returns the product of two vectors of the same dimensions in 32-bit arithmetic. Four sums
// that do not wait for each other are as many as the processor can keep busy without SIMD.
func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	for len(a) >= 8 && len(b) >= 8 {
		x, y := (*[8]float32)(a), (*[8]float32)(b)
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		s0 += x[4] * y[4]
		s1 += x[5] * y[5]
		s2 += x[6] * y[6]
		s3 += x[7] * y[7]
		a, b = a[8:], b[8:]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// length returns the length of a vector.
func length(vector []float32) float64 { return math.Sqrt(exactDot(vector, vector)) }

// exactDot returns the product of two vectors in 64-bit arithmetic. The product of two 32-bit
// floats is exact there, so that all processors get the same sum.
func exactDot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// exactDistance returns the Euclidean distance of two vectors in 64-bit arithmetic, but no more
// than the largest 32-bit float (service facts V.4.6). The conversion keeps processors from fusing
// the product and the sum, which would be rounded differently.
func exactDistance(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		sum += float64(d * d)
	}
	return min(math.Sqrt(sum), math.MaxFloat32)
}

// siftUp restores a heap whose root is the greatest after its last element was added.
func siftUp(heap []float64) {
	for i := len(heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if heap[parent] >= heap[i] {
			return
		}
		heap[parent], heap[i] = heap[i], heap[parent]
		i = parent
	}
}

// siftDown restores a heap whose root is the greatest after its root was replaced.
func siftDown(heap []float64) {
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child+1] > heap[child] {
			child++
		}
		if heap[i] >= heap[child] {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}
