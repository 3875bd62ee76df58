/* Adds a matrix to another that is stored transposed; the second goes through shared memory.
[lanescope]
block = [32, 8]
[buffers]
p = "f32 i:32 j:32"
pt = "f32 j:32 i:32"
s = "f32 i:32 j:32 = zeros"
*/
__global__ void __launch_bounds__(256) add_turned(const float *p, const float *pt, float *s)
{
    __shared__ float t[32][33];
    const unsigned lane = threadIdx.x, warp = threadIdx.y;
    for (unsigned k = 0; k < 32; k += 8) t[k + warp][lane] = pt[32 * (k + warp) + lane];
    __syncthreads();
    for (unsigned k = 0; k < 32; k += 8) {
        float a = p[32 * (k + warp) + lane];
        float b = t[lane][k + warp];
        // b:
        //   thread:  j4 j3 j2 j1 j0
        //   warp:    i2 i1 i0
        s[32 * (k + warp) + lane] = a + b;
    }
}
