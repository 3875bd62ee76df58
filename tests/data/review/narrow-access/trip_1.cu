/*
Four floats of each thread, one by one.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    unsigned i = 4 * threadIdx.x;
    float a = p[i];  // finds
    float b = p[i + 1];
    float c = p[i + 2];
    float d = p[i + 3];
    q[threadIdx.x] = a * b + c * d;
}
