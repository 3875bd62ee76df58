#include <cstdio>
#include <cuda_fp16.h>
__constant__ float tab[4]={1.f,2.f,3.f,4.f};
__device__ int counter=7;
__device__ double dd[2][2]={{1.0,2.0},{3.0,-0.5}};
struct S{int a;char b;};
__constant__ S ss[2]={{1,'x'},{2,'y'}};
__device__ __noinline__ int rec(int n){ return n<2?n:rec(n-1)+rec(n-2); }
__device__ __forceinline__ float inner(float x){
  return x*tab[threadIdx.x&3];
}
__device__ __forceinline__ float outer(float x){ float y=inner(x)+1.f;
  return inner(y);}
extern __shared__ float dyn[];
__global__ void k(float*o,const float* __restrict__ in,int n,S s,unsigned long long m){
  __shared__ half2 sh[64];
  int loc[8];
  for(int i=0;i<8;i++)loc[i]=n*i;
  sh[threadIdx.x]=__floats2half2_rn(in[threadIdx.x],2.f);
  __syncthreads();
  float f=outer(in[n]);
  half2 h=__hadd2(sh[threadIdx.x^1],sh[threadIdx.x^2]);
  int v=__shfl_xor_sync(~0u,n,1);
  unsigned b=__ballot_sync(~0u,n>3);
  switch(n){case 0:f+=1;break;case 1:f*=2;break;case 2:f=sqrtf(f);break;case 3:f-=5;break;case 4:f=1/f;break;case 5: f=sinf(f);break;case 6:f+=s.a;}
  dyn[threadIdx.x]=f;
  atomicAdd(&counter,rec(n));
  printf("%d %f\n",v,f);
  asm volatile("// lanescope.probe 3 var=2 off=4 %0"::"r"(v));
  asm volatile("// lanescope.probe 3 var=2 off=8 %0"::"r"(0));
  asm volatile("// lanescope.probe 3 var=2 off=12 %0"::"n"(5));
  asm volatile("// lanescope.probe 4 var=2 off=12 %0"::"f"(f));
  o[threadIdx.x]=__low2float(h)+loc[v&7]+b+s.b+(float)(m/(n+1ull))+dyn[threadIdx.x^1]+dd[n&1][1]+ss[n&1].a;
}
