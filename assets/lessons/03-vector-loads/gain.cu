/*
A constant factor for each element, 32 bits a load.

[lanescope]
grid = 16
block = 256
args = { gain = 3 }

[buffers]
p = "f32 i:4096 = 0.5"
q = { type = "f32", axes = "i:4096", init = "zeros", expect = 1.5 }
*/
__global__ void __launch_bounds__(256) amplify(const float *p, float *q, float gain)
{
    uint i = 256 * blockIdx.x + threadIdx.x;
    q[i] = gain * p[i];
}
