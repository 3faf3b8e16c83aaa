// A session with the Counter by gSOAP. Arguments: the WSDL's URL at each replica, first the one to begin with.
#include <poll.h>
#include <unistd.h>

#include "session.h"

#include <vector>

#include "soapCounterSoap11Proxy.h"
#include "soapCounterSoap12Proxy.h"
#include "standards.h"
#include "CounterSoap11.nsmap"

namespace {

const int attempts = 200;
const useconds_t pause_us = 50000;
const int fewest_adds = 20;
const std::string nobody(32, '0');

std::vector<std::string> replicas;  // host:port
int at = -1;
int retried = 0;

std::string host(const std::string& url) {
  const auto from = url.find("//") + 2;
  return url.substr(from, url.find('/', from) - from);
}

std::string with_host(const std::string& url, const std::string& host) {
  const auto from = url.find("//") + 2;
  return url.substr(0, from) + host + url.substr(url.find('/', from));
}

bool told_to_go_on() {
  pollfd in = {0, POLLIN, 0};
  return poll(&in, 1, 0) > 0;
}

}  // namespace

void wrong(const std::string& what) {
  std::cout << "WRONG " << what << std::endl;
  std::exit(1);
}

int call(soap* context, const std::string& address, const char* action, const std::function<int(const char*)>& send,
         int times) {
  const std::string id = soap_wsa_rand_uuid(context);
  int answers = 0;
  for (int attempt = 0; attempt < attempts; attempt++) {
    const std::string target = at < 0 ? address : with_host(address, replicas[at]);
    const char* to = target.c_str();
    soap_wsa_request(context, id.c_str(), to, action);
    const int status = send(to);
    if (!soap_tcp_error_check(status)) {
      if (context->header == nullptr || context->header->wsa5__RelatesTo == nullptr ||
          id != context->header->wsa5__RelatesTo->__item) {
        soap_stream_fault(context, std::cout);
        wrong("the answer to " + id + " does not say that it relates to it");
      }
      if (++answers < times) {
        continue;
      }
      return status;
    }
    retried++;
    at = 0;
    for (size_t i = 0; i < replicas.size(); i++) {
      if (replicas[i] == host(target)) {
        at = static_cast<int>((i + 1) % replicas.size());
      }
    }
    usleep(pause_us);
  }
  wrong("no replica answers");
}

namespace {

const char* const create_action = "http://counter.com/CounterPortType/createCounterRequest";
const char* const add_action = "http://counter.com/CounterPortType/addRequest";
const char* const value_action = "http://counter.com/CounterPortType/getValueRequest";

/** What a session needs of a port, for either version of SOAP. */
template <typename Proxy>
class Counter {
 public:
  Counter(Proxy& proxy, std::string address) : proxy_(proxy), address_(std::move(address)) {}

  int add(int amount, int times = 1) {
    _counter__add request;
    request.soap_default(proxy_.soap);
    request.value = amount;
    _counter__addResponse response;
    if (call(proxy_.soap, address_, add_action,
             [&](const char* to) { return proxy_.add(to, nullptr, &request, response); }, times)) {
      fail("add");
    }
    const int total = response.total;
    proxy_.destroy();
    return total;
  }

  int value() {
    _counter__getValue request;
    request.soap_default(proxy_.soap);
    _counter__getValueResponse response;
    if (call(proxy_.soap, address_, value_action,
             [&](const char* to) { return proxy_.getValue(to, nullptr, &request, response); })) {
      fail("getValue");
    }
    const int value = response.value;
    proxy_.destroy();
    return value;
  }

  /** What the declared fault says, when there is one. */
  std::string told_unknown() {
    _counter__add request;
    request.soap_default(proxy_.soap);
    request.value = 1;
    _counter__addResponse response;
    std::string told = "no fault";
    if (call(proxy_.soap, address_, add_action,
             [&](const char* to) { return proxy_.add(to, nullptr, &request, response); })) {
      SOAP_ENV__Detail* found = detail(proxy_.soap);
      told = found == nullptr || found->counter__UnknownCounterFault == nullptr
                 ? "no detail of the declared type"
                 : found->counter__UnknownCounterFault->message;
    }
    proxy_.destroy();
    return told;
  }

 private:
  [[noreturn]] void fail(const std::string& operation) {
    proxy_.soap_stream_fault(std::cout);
    wrong(operation + " failed");
  }

  Proxy& proxy_;
  std::string address_;
};

/** Creates a counter by the service at this address; the stub knows only that of the contract which it was generated from. */
template <typename Proxy>
std::string create(Proxy& proxy, const std::string& service) {
  _counter__createCounter request;
  request.soap_default(proxy.soap);
  _counter__createCounterResponse response;
  if (call(proxy.soap, service, create_action,
           [&](const char* to) { return proxy.createCounter(to, nullptr, &request, response); })) {
    proxy.soap_stream_fault(std::cout);
    wrong("createCounter failed");
  }
  const std::string made = response.wsa5__EndpointReference.Address;
  proxy.destroy();
  return made;
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; i++) {
    replicas.push_back(host(arguments[i]));
  }
  const std::string service = std::string(arguments[1]).substr(0, std::string(arguments[1]).find('?'));
  CounterSoap11Proxy soap11;
  CounterSoap12Proxy soap12;
  prepare(soap11);
  prepare(soap12);
  const std::string made = create(soap11, service);
  const std::string nowhere = made.substr(0, made.rfind('/') + 1) + nobody;
  Counter<CounterSoap11Proxy> first(soap11, made);
  Standards standards(made);
  standards.before(0);
  check("add 3, sent twice with one MessageID", 3, first.add(3, 2));
  check("add 10", 13, first.add(10));
  check("value", 13, first.value());
  standards.classic();
  Counter<CounterSoap12Proxy> other(soap12, create(soap12, service));
  check("add 1 to another counter by SOAP 1.2", 1, other.add(1));
  check("value of the other by SOAP 1.2", 1, other.value());
  check("value of the first by SOAP 1.2", 13, Counter<CounterSoap12Proxy>(soap12, made).value());
  const std::string told11 = Counter<CounterSoap11Proxy>(soap11, nowhere).told_unknown();
  check("SOAP 1.1 tells an unknown counter (" + told11 + ")", true, told11.find(nobody) != std::string::npos);
  const std::string told12 = Counter<CounterSoap12Proxy>(soap12, nowhere).told_unknown();
  check("SOAP 1.2 tells an unknown counter (" + told12 + ")", true, told12.find(nobody) != std::string::npos);

  std::cout << "busy" << std::endl;
  int adds = 0;
  while (adds < fewest_adds || !told_to_go_on()) {
    adds++;
    usleep(pause_us / 5);
    const int total = first.add(1);
    if (total != 13 + adds) {
      check("add " + std::to_string(adds) + " while busy", 13 + adds, total);
    }
  }
  check("value after being busy", 13 + adds, first.value());
  check("value of the other", 1, other.value());
  check("add 100", 113 + adds, first.add(100));
  std::vector<int> totals = {3};
  for (int i = 0; i <= adds; i++) {
    totals.push_back(13 + i);
  }
  totals.push_back(113 + adds);
  standards.after(totals, [&](int amount) { return first.add(amount); });
  std::cout << "retried " << retried << std::endl;
  std::cout << "end" << std::endl;
  return 0;
}
