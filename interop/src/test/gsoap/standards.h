// WS-ResourceProperties, WS-ResourceLifetime and WS-BaseNotification by gSOAP, before and after a failover.
#ifndef STANDARDS_H
#define STANDARDS_H

#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "soapCounterSoap11Proxy.h"
#include "soapCreatePullPointSoap12Proxy.h"
#include "soapPullPointSoap11Service.h"
#include "soapPullPointSoap12Proxy.h"
#include "soapSubscriptionManagerSoap11Proxy.h"

/** Hears notifications, one at a time; one that comes again under the same wsa:MessageID is dropped. */
class Consumer : public PullPointSoap11Service {
 public:
  Consumer();

  std::string address() const { return address_; }

  /** Waits until so many values have come, and answers all that have. */
  std::vector<int> heard(size_t count);

  int Notify(_wsnt__Notify* notify) override;
  int GetMessages(_wsnt__GetMessages*, _wsnt__GetMessagesResponse&) override { return SOAP_NO_METHOD; }
  int DestroyPullPoint(_wsnt__DestroyPullPoint*, _wsnt__DestroyPullPointResponse&) override { return SOAP_NO_METHOD; }
  PullPointSoap11Service* copy() override { return nullptr; }

 private:
  void listen();

  std::string address_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string> ids_;
  std::vector<int> values_;
};

/** One session with one counter. */
class Standards {
 public:
  explicit Standards(std::string counter);

  void before(int total);

  /** Create, add 3, notification 3, add 10, notification 13; the first two adds of the session do it. */
  void classic();

  /** The replica with which it began may be gone; nobody subscribes again. */
  void after(std::vector<int> totals, const std::function<int(int)>& add);

 private:
  int property(const char* name, _wsrp__GetResourcePropertyResponse& response);
  int subscribe(const std::string& consumer, const char* topic, const char* dialect, const char* end,
                _wsnt__SubscribeResponse& response);
  void refusals();
  int unsubscribe(const std::string& subscription);
  int messages(int most, _wsnt__GetMessagesResponse& response);
  std::vector<int> fetch(size_t count);

  std::string address_;
  std::string services_;
  std::string subscription_;
  std::string point_;
  Consumer* consumer_;  // listens until the program ends
  CounterSoap11Proxy counter_;
  SubscriptionManagerSoap11Proxy managers_;
  CreatePullPointSoap12Proxy creation_;  // the pull point by SOAP 1.2, the rest by SOAP 1.1
  PullPointSoap12Proxy points_;
};

#endif
