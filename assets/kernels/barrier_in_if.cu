/*
Wrong on purpose: the barrier of a blur of one block stands inside of an `if` that the last two threads do not enter,
as in a course's first version. The language calls that undefined. The result is right since compute capability 7.0,
because a barrier does not wait for threads that have exited. In blur_shared_static all threads reach the barrier;
barrier_in_branches shows a result that is wrong.

[lanescope]
block = 128

[buffers]
in = "f32 i:128"
out = "f32 i:128 = zeros"
*/
__global__ void __launch_bounds__(128) barrier_in_if(const float *in, float *out, uint n)
{
    __shared__ float field[128];
    uint i = threadIdx.x + 1;

    if (i < n - 1) {
        // lanescope: expect barrier-divergent, partial-lines (a neighbour lies beyond the line)
        field[i] = in[i];
        if (i == 1) {
            field[0] = in[0];
            field[n - 1] = in[n - 1];
        }
        __syncthreads();
        out[i] = 0.25f * (field[i - 1] + 2 * field[i] + field[i + 1]);
    }
}
