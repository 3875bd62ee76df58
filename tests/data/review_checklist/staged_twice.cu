/* Two passes over shared memory, a barrier between each pair of phases and no more.
[lanescope]
block = 128
[buffers]
p = "f32 n:128"
q = "f32 n:128 = zeros"
*/
__global__ void __launch_bounds__(128) reverse_and_rotate(const float *p, float *q)
{
    __shared__ float first[128], second[128];
    const int t = threadIdx.x;
    first[t] = p[t];
    __syncthreads();
    second[t] = first[127 - t];
    __syncthreads();
    const float out = second[(t + 64) & 127];
    q[t] = out;
}
