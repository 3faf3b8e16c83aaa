// What the steps of a session have in common.
#ifndef SESSION_H
#define SESSION_H

#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>

#include "soapH.h"
#include "wsaapi.h"

[[noreturn]] void wrong(const std::string& what);

template <typename T>
void check(const std::string& what, const T& expected, const T& actual) {
  if (!(expected == actual)) {
    std::cout << "WRONG " << what << ": expected " << expected << ", got " << actual << std::endl;
    std::exit(1);
  }
  std::cout << "ok " << what << ": " << actual << std::endl;
}

/**
 * One call: the same MessageID at the next replica when a connection fails. A fault is an answer. No address is that of
 * the contract which the stubs were generated from.
 */
int call(soap* context, const std::string& address, const char* action, const std::function<int(const char*)>& send,
         int times = 1);

template <typename Proxy>
void prepare(Proxy& proxy) {
  soap_register_plugin(proxy.soap, soap_wsa);
  proxy.soap->connect_timeout = 30;
  proxy.soap->send_timeout = 60;
  proxy.soap->recv_timeout = 60;
}

/** SOAP 1.1 calls it one thing and SOAP 1.2 another. Null when there is none. */
inline SOAP_ENV__Detail* detail(soap* context) {
  SOAP_ENV__Fault* fault = context->fault;
  if (fault == nullptr) {
    return nullptr;
  }
  return fault->detail != nullptr ? fault->detail : fault->SOAP_ENV__Detail;
}

#endif
