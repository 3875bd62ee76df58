#pragma once
// Defines encode and decode of a message whose fields are described; included by the wire_*.cpp files only.

#include "app/engine/wire/messages.h"
#include "kernels/codec/codec.h"

#define LS_WIRE_MESSAGE(Message)                                       \
  template <>                                                          \
  Bytes encode<Message>(const Message& message) {                      \
    return codec::encode_message(message);                             \
  }                                                                    \
  template <>                                                          \
  Expected<Message> decode<Message>(std::span<const std::uint8_t> p) { \
    return codec::decode_message<Message>(p);                          \
  }
