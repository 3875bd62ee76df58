/*
[lanescope]
block = 32
[buffers]
p = "f32 i:128"
q = "f32 i:128 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    // Between the stores the first element is read, which the second store might have changed.
    float *r = q + 2 * threadIdx.x;
    volatile float *s = r;
    r[0] = p[threadIdx.x];
    float back = s[0];
    r[1] = back + 1.0f;
}
