/*
A flag of a lane that does not take part decides.

[lanescope]
block = 64

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(64) k(const float *p, float *q)
{
    int more = p[threadIdx.x] > 5.0f;
    if (threadIdx.x % 32 < 8) {
        if (__shfl_sync(0xff, more, 31) != 0)  // finds
            q[threadIdx.x] = 1.0f;
    }
}
