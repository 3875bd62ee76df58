/*
Rows one behind the other: lanes could read float4 with other elements.

[lanescope]
block = 32

[buffers]
p = "f32 i:1024"
q = "f32 i:1024 = zeros"
*/
__global__ void __launch_bounds__(32) k(const float *p, float *q)
{
    float a = p[threadIdx.x];  // finds
    float b = p[threadIdx.x + 32];
    float c = p[threadIdx.x + 64];
    float d = p[threadIdx.x + 96];
    q[threadIdx.x] = a * b + c * d;
}
