/*
[lanescope]
block = 32
[buffers]
p = "f32 i:128"
q = "f32 i:128 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    // Loads and stores in turns, of different buffers.
    unsigned i = 2 * threadIdx.x;
    q[i] = p[i];  // finds
    q[i + 1] = p[i + 1];
}
