/* Keeps positive numbers, a place for each by an atomic counter.
[lanescope]
grid = 4
block = 64
[buffers]
in = "s32 n:256 = random 8"
out = "s32 n:256 = zeros"
counter = "s32 n:1 = zeros"
*/
__global__ void __launch_bounds__(64) keep_positive(const int *in, int *out, int *counter)
{
    const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (v > 0) {  // lanescope: allow divergence (the data decide)
        const int place = atomicAdd(counter, 1);
        out[place] = v;  // lanescope: allow partial-lines
    }
}
