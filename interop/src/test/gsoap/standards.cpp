#include "standards.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <chrono>
#include <cstring>

#include "session.h"

namespace {

const char* const counter_ns = "http://counter.com";
const char* const wsrp_ns = "http://docs.oasis-open.org/wsrf/rp-2";
const char* const wsnt_ns = "http://docs.oasis-open.org/wsn/b-2";
const char* const concrete = "http://docs.oasis-open.org/wsn/t-1/TopicExpression/Concrete";
const std::chrono::seconds patience(30);

// The prefix of a QName is one of the stubs' own, which every envelope declares.
const char* const value = "counter:Value";
const char* const nothing = "counter:Nothing";

/** Calls one operation of a stub. */
template <typename Proxy, typename Request, typename Response>
int ask(Proxy& proxy, const std::string& address, const std::string& action,
        int (Proxy::*operation)(const char*, const char*, Request*, Response&), Request* request, Response& response) {
  return call(proxy.soap, address, action.c_str(),
              [&](const char* to) { return (proxy.*operation)(to, nullptr, request, response); });
}

/** The same, with a request that says nothing. */
template <typename Proxy, typename Request, typename Response>
int ask(Proxy& proxy, const std::string& address, const std::string& action,
        int (Proxy::*operation)(const char*, const char*, Request*, Response&), Response& response) {
  Request request;
  request.soap_default(proxy.soap);
  return ask(proxy, address, action, operation, &request, response);
}

const std::string rpw = "http://docs.oasis-open.org/wsrf/rpw-2/";
const std::string rlw = "http://docs.oasis-open.org/wsrf/rlw-2/";
const std::string bw = "http://docs.oasis-open.org/wsn/bw-2/";

template <typename Proxy>
void good(Proxy& proxy, int status, const std::string& operation) {
  if (status != SOAP_OK) {
    proxy.soap_stream_fault(std::cout);
    wrong(operation + " failed");
  }
}

/** The declared fault, which the answer has to be. */
template <typename Proxy, typename Fault>
Fault* refused(Proxy& proxy, int status, const std::string& what, Fault* SOAP_ENV__Detail::*declared) {
  SOAP_ENV__Detail* found = status == SOAP_OK ? nullptr : detail(proxy.soap);
  Fault* fault = found == nullptr ? nullptr : found->*declared;
  if (fault == nullptr) {
    proxy.soap_stream_fault(std::cout);
    wrong(what + " is no fault of the declared type");
  }
  check(what + (fault->Description.empty() ? "" : " (" + std::string(fault->Description[0].__item) + ")"), true,
        fault->Timestamp.tv_sec > 0);
  return fault;
}

/** The child of an element of which the contract says no more than that there is one. */
const soap_dom_element& child(const soap_dom_element& of, const char* ns, const char* name) {
  const soap_dom_element* found = of.elt_get(ns, name);
  if (found == nullptr) {
    wrong(std::string("there is no ") + name + " in " + (of.name == nullptr ? "nothing" : of.name));
  }
  return *found;
}

int number(const soap_dom_element& element) {
  const char* text = soap_elt_get_text(&element);
  return text == nullptr ? -1 : std::atoi(text);
}

void new_values(const std::vector<wsnt__NotificationMessageHolderType*>& messages, std::vector<int>& to) {
  for (const auto* message : messages) {
    to.push_back(number(child(child(message->Message.__any, wsrp_ns, "NewValues"), counter_ns, "Value")));
  }
}

/** Of long lists, the first difference is what one wants to read. */
void same(const std::string& what, const std::vector<int>& expected, const std::vector<int>& actual) {
  for (size_t i = 0; i < expected.size() && i < actual.size(); i++) {
    if (expected[i] != actual[i]) {
      check(what + ", number " + std::to_string(i + 1), expected[i], actual[i]);
    }
  }
  check(what, expected.size(), actual.size());
}

}  // namespace

Consumer::Consumer() {
  const auto socket = bind("127.0.0.1", 0, 100);
  sockaddr_in bound;
  socklen_t length = sizeof bound;
  if (!soap_valid_socket(socket) || getsockname(socket, reinterpret_cast<sockaddr*>(&bound), &length) != 0) {
    wrong("the consumer has no port");
  }
  address_ = "http://127.0.0.1:" + std::to_string(ntohs(bound.sin_port)) + "/";
  soap->recv_timeout = 10;
  std::thread(&Consumer::listen, this).detach();
}

void Consumer::listen() {
  while (true) {
    if (soap_valid_socket(accept())) {
      serve();  // what is no notification gets a fault
    }
    destroy();
  }
}

int Consumer::Notify(_wsnt__Notify* notify) {
  const SOAP_ENV__Header* header = soap->header;
  if (header == nullptr || header->wsa5__MessageID == nullptr) {
    wrong("a notification without wsa:MessageID");
  }
  std::lock_guard<std::mutex> lock(mutex_);
  if (ids_.insert(header->wsa5__MessageID).second) {
    new_values(notify->NotificationMessage, values_);
    changed_.notify_all();
  }
  return send_Notify_empty_response(202);
}

std::vector<int> Consumer::heard(size_t count) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return values_.size() >= count; });
  return values_;
}

Standards::Standards(std::string counter)
    : address_(std::move(counter)), services_(address_.substr(0, address_.find("/services/") + 10)),
      consumer_(new Consumer()) {
  prepare(counter_);
  prepare(managers_);
  prepare(creation_);
  prepare(points_);
}

int Standards::property(const char* name, _wsrp__GetResourcePropertyResponse& response) {
  return ask(counter_, address_, rpw + "GetResourceProperty/GetResourcePropertyRequest",
             &CounterSoap11Proxy::GetResourceProperty, const_cast<char*>(name), response);
}

int Standards::subscribe(const std::string& consumer, const char* topic, const char* dialect, const char* end,
                         _wsnt__SubscribeResponse& response) {
  soap* context = counter_.soap;
  _wsnt__Subscribe request;
  request.soap_default(context);
  request.ConsumerReference.Address = soap_strdup(context, consumer.c_str());
  soap_dom_element expression(context, wsnt_ns, "TopicExpression", topic);
  soap_att_text(soap_att(&expression, nullptr, "Dialect"), dialect);
  wsnt__FilterType filter;
  filter.soap_default(context);
  filter.__any.push_back(expression);
  request.Filter = &filter;
  std::string time = end == nullptr ? "" : end;
  request.InitialTerminationTime = end == nullptr ? nullptr : &time;
  return ask(counter_, address_, bw + "NotificationProducer/SubscribeRequest", &CounterSoap11Proxy::Subscribe, &request,
             response);
}

int Standards::unsubscribe(const std::string& subscription) {
  _wsnt__UnsubscribeResponse response;
  return ask(managers_, subscription, bw + "SubscriptionManager/UnsubscribeRequest",
             &SubscriptionManagerSoap11Proxy::Unsubscribe, response);
}

int Standards::messages(int most, _wsnt__GetMessagesResponse& response) {
  _wsnt__GetMessages request;
  request.soap_default(points_.soap);
  std::string number = std::to_string(most);
  request.MaximumNumber = &number[0];
  return ask(points_, point_, bw + "PullPoint/GetMessagesRequest", &PullPointSoap12Proxy::GetMessages, &request, response);
}

void Standards::before(int total) {
  _wsrp__GetResourcePropertyResponse got;
  good(counter_, property(value, got), "GetResourceProperty");
  check("GetResourceProperty", size_t(1), got.__any.size());
  check("its value", total, number(got.__any[0]));
  _wsrp__GetResourcePropertyDocumentResponse document;
  good(counter_,
       ask(counter_, address_, rpw + "GetResourcePropertyDocument/GetResourcePropertyDocumentRequest",
           &CounterSoap11Proxy::GetResourcePropertyDocument, document),
       "GetResourcePropertyDocument");
  check("the property document has the value", total, number(child(document.__any, counter_ns, "Value")));

  _wsrl__SetTerminationTime lifetime;
  lifetime.soap_default(counter_.soap);
  lifetime.__union_SetTerminationTime = SOAP_UNION__wsrl__union_SetTerminationTime_RequestedLifetimeDuration;
  lifetime.union_SetTerminationTime.RequestedLifetimeDuration = const_cast<char*>("PT1H");
  _wsrl__SetTerminationTimeResponse granted;
  good(counter_,
       ask(counter_, address_, rlw + "ScheduledResourceTermination/SetTerminationTimeRequest",
           &CounterSoap11Proxy::SetTerminationTime, &lifetime, granted),
       "SetTerminationTime");
  check("SetTerminationTime", 3600L, long(granted.NewTerminationTime->tv_sec - granted.CurrentTime.tv_sec));
  counter_.destroy();

  _wsnt__SubscribeResponse subscribed;
  good(counter_, subscribe(consumer_->address(), value, concrete, nullptr, subscribed), "Subscribe");
  subscription_ = subscribed.SubscriptionReference.Address;
  _wsnt__CreatePullPointResponse made;
  good(creation_,
       ask(creation_, services_ + "CreatePullPoint", bw + "CreatePullPoint/CreatePullPointRequest",
           &CreatePullPointSoap12Proxy::CreatePullPoint, made),
       "CreatePullPoint");
  point_ = made.PullPoint.Address;
  good(counter_, subscribe(point_, value, concrete, nullptr, subscribed), "Subscribe for the pull point");
  refusals();
}

void Standards::refusals() {
  const std::string me = consumer_->address();
  _wsnt__SubscribeResponse subscribed;
  refused(counter_, subscribe(me, nothing, concrete, nullptr, subscribed), "unknown topic",
          &SOAP_ENV__Detail::wsnt__TopicNotSupportedFault);
  refused(counter_, subscribe(me, value, "urn:none", nullptr, subscribed), "unknown dialect",
          &SOAP_ENV__Detail::wsnt__TopicExpressionDialectUnknownFault);
  const auto* early = refused(counter_, subscribe(me, value, concrete, "2001-01-01T00:00:00Z", subscribed),
                              "a time in the past", &SOAP_ENV__Detail::wsnt__UnacceptableInitialTerminationTimeFault);
  check("it tells the earliest time", true, early->MinimumTime.tv_sec >= early->Timestamp.tv_sec);
  refused(managers_, unsubscribe(services_ + "SubscriptionManager/" + std::string(32, '0')), "unknown subscription",
          &SOAP_ENV__Detail::wsrfr__ResourceUnknownFault);
  _wsrp__GetResourcePropertyResponse got;
  refused(counter_, property(nothing, got), "unknown property",
          &SOAP_ENV__Detail::wsrp__InvalidResourcePropertyQNameFault);
}

void Standards::classic() {
  std::vector<int> heard = consumer_->heard(2);
  heard.resize(2);
  same("notifications of the classic session", {3, 13}, heard);
}

std::vector<int> Standards::fetch(size_t count) {
  std::vector<int> values;
  const auto end = std::chrono::steady_clock::now() + patience;
  while (values.size() < count && std::chrono::steady_clock::now() < end) {
    _wsnt__GetMessagesResponse response;
    good(points_, messages(50, response), "GetMessages");
    new_values(response.NotificationMessage, values);
    points_.destroy();
  }
  return values;
}

void Standards::after(std::vector<int> totals, const std::function<int(int)>& add) {
  same("the consumer heard every value, in order", totals, consumer_->heard(totals.size()));
  same("the pull point kept every value, in order", totals, fetch(totals.size()));
  _wsnt__PauseSubscriptionResponse paused;
  good(managers_,
       ask(managers_, subscription_, bw + "PausableSubscriptionManager/PauseSubscriptionRequest",
           &SubscriptionManagerSoap11Proxy::PauseSubscription, paused),
       "PauseSubscription");
  add(1);
  _wsnt__ResumeSubscriptionResponse resumed;
  good(managers_,
       ask(managers_, subscription_, bw + "PausableSubscriptionManager/ResumeSubscriptionRequest",
           &SubscriptionManagerSoap11Proxy::ResumeSubscription, resumed),
       "ResumeSubscription");
  _wsnt__Renew renew;
  renew.soap_default(managers_.soap);
  std::string half_an_hour = "PT30M";
  renew.TerminationTime = &half_an_hour;
  _wsnt__RenewResponse renewed;
  good(managers_,
       ask(managers_, subscription_, bw + "SubscriptionManager/RenewRequest", &SubscriptionManagerSoap11Proxy::Renew,
           &renew, renewed),
       "Renew");
  check("Renew", 1800L, long(renewed.TerminationTime.tv_sec - renewed.CurrentTime->tv_sec));
  totals.push_back(add(1));
  same("paused, it hears nothing; resumed, it does", totals, consumer_->heard(totals.size()));
  good(managers_, unsubscribe(subscription_), "Unsubscribe");
  refused(managers_, unsubscribe(subscription_), "unsubscribed twice", &SOAP_ENV__Detail::wsrfr__ResourceUnknownFault);

  _wsnt__DestroyPullPointResponse gone;
  good(points_,
       ask(points_, point_, bw + "PullPoint/DestroyPullPointRequest", &PullPointSoap12Proxy::DestroyPullPoint, gone),
       "DestroyPullPoint");
  _wsnt__GetMessagesResponse none;
  refused(points_, messages(1, none), "a destroyed pull point", &SOAP_ENV__Detail::wsrfr__ResourceUnknownFault);
  _wsrl__DestroyResponse destroyed;
  good(counter_,
       ask(counter_, address_, rlw + "ImmediateResourceTermination/DestroyRequest", &CounterSoap11Proxy::Destroy,
           destroyed),
       "Destroy");
  _wsrp__GetResourcePropertyResponse got;
  refused(counter_, property(value, got), "a destroyed counter", &SOAP_ENV__Detail::wsrfr__ResourceUnknownFault);
}
