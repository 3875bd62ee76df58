/*
Variables of constant and of global memory start with zeros where nothing initialises them, and with their values where something does.

[lanescope]
block = 32

[buffers]
q = { type = "u32", axes = "i:4", init = "[9, 9, 9, 9]", expect = [0, 0, 5, 6] }
*/
__constant__ unsigned constant_zero[4];
__device__ unsigned global_zero[4];
__constant__ unsigned constant_five = 5;
__device__ unsigned global_six = 6;

__global__ void __launch_bounds__(32) starts_with_zeros(unsigned *q)
{
    if (threadIdx.x != 0) return;
    q[0] = constant_zero[q[1] & 3];
    q[1] = global_zero[q[2] & 3];
    q[2] = constant_five;
    q[3] = global_six;
}
