package org.understudy.wsrf.contract;

import jakarta.jws.WebService;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.jaxws.EndpointImpl;
import org.understudy.container.service.CxfContract;
import org.understudy.container.service.NotebookService;
import org.understudy.counter.CounterPortType;
import org.understudy.counter.CreateCounter;
import org.understudy.counter.CreateCounterResponse;
import org.understudy.replication.api.ReadLevel;
import org.understudy.wsrf.operation.Endpoint;
import org.understudy.wsrf.operation.Invocation;
import org.understudy.wsrf.operation.StandardOperation;

/** One endpoint of each kind, with every operation that may stand there. */
final class Gallery implements AutoCloseable {
  static final String RP = "http://docs.oasis-open.org/wsrf/rp-2";
  static final String RL = "http://docs.oasis-open.org/wsrf/rl-2";
  static final String SG = "http://docs.oasis-open.org/wsrf/sg-2";
  static final String B = "http://docs.oasis-open.org/wsn/b-2";
  static final String BR = "http://docs.oasis-open.org/wsn/br-2";
  static final String[] PROPERTIES = {
    "GetResourcePropertyDocument", "GetResourceProperty", "GetMultipleResourceProperties", "PutResourcePropertyDocument",
    "SetResourceProperties", "InsertResourceProperties", "UpdateResourceProperties", "DeleteResourceProperties",
    "QueryResourceProperties"
  };
  static final List<String> NAMES =
      List.of("Counter", "Notebook", "SubscriptionManager", "CreatePullPoint", "PullPoint", "ServiceGroup",
          "ServiceGroupEntry", "NotificationBroker", "PublisherRegistrationManager");

  /** Only its contract is of interest. */
  @WebService(
      endpointInterface = "org.understudy.counter.CounterPortType",
      targetNamespace = "http://counter.com",
      serviceName = "CounterService",
      portName = "CounterPort",
      wsdlLocation = "classpath:wsdl/counter.wsdl")
  public static final class Counter implements CounterPortType {
    @Override
    public CreateCounterResponse createCounter(CreateCounter parameters) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int add(int value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int getValue() {
      throw new UnsupportedOperationException();
    }
  }

  private record Named(QName element) implements StandardOperation {
    @Override
    public String answer() {
      return null;
    }

    @Override
    public ReadLevel read() {
      return null;
    }

    @Override
    public byte[] execute(Invocation invocation) {
      throw new UnsupportedOperationException();
    }
  }

  final List<Endpoint> endpoints = new ArrayList<>();
  final PublishedContracts contracts = new PublishedContracts();
  private final Bus bus = BusFactory.newInstance().createBus();

  Gallery() {
    Endpoint counter = endpoint("Counter");
    operations(counter, RP, PROPERTIES);
    operations(counter, RL, "Destroy", "SetTerminationTime");
    operations(counter, B, "Subscribe", "GetCurrentMessage");
    service(counter, new Counter(), counterProperties());

    Endpoint notebook = endpoint("Notebook");
    operations(notebook, RP, "GetResourceProperty");
    service(notebook, new NotebookService(), new ResourceProperties(
        new QName("urn:notebook:properties", "Notebook"),
        List.of(new Property(new QName("urn:notebook", "Length"), xs("int"), false, false))));

    Endpoint manager = endpoint("SubscriptionManager");
    operations(manager, B, "Renew", "Unsubscribe", "PauseSubscription", "ResumeSubscription");
    operations(manager, RP, "GetResourceProperty", "QueryResourceProperties");
    operations(manager, RL, "Destroy", "SetTerminationTime");
    contracts.add(manager, own("SubscriptionRP"));
    Endpoint creation = endpoint("CreatePullPoint");
    operations(creation, B, "CreatePullPoint");
    contracts.add(creation, null);
    Endpoint pullPoint = endpoint("PullPoint");
    operations(pullPoint, B, "GetMessages", "DestroyPullPoint", "Notify");
    contracts.add(pullPoint, null);
    Endpoint group = endpoint("ServiceGroup");
    operations(group, SG, "Add");
    operations(group, RP, PROPERTIES);
    operations(group, B, "Subscribe", "GetCurrentMessage");
    contracts.add(group, own("GroupRP"));
    Endpoint entry = endpoint("ServiceGroupEntry");
    operations(entry, RP, PROPERTIES);
    operations(entry, RL, "Destroy", "SetTerminationTime");
    contracts.add(entry, new ResourceProperties(
        new QName(PublishedContracts.NAMESPACE, "EntryRP"),
        List.of(
            new Property(new QName(SG, "ServiceGroupEPR"), null, false, false),
            new Property(new QName(SG, "MemberEPR"), null, true, false))));
    Endpoint broker = endpoint("NotificationBroker");
    operations(broker, B, "Notify", "Subscribe", "GetCurrentMessage");
    operations(broker, BR, "RegisterPublisher");
    operations(broker, RP, "GetResourceProperty", "GetResourcePropertyDocument");
    contracts.add(broker, new ResourceProperties(
        new QName(PublishedContracts.NAMESPACE, "NotificationBrokerRP"),
        List.of(new Property(new QName(BR, "RequiresRegistration"), null, false, false))));
    Endpoint registrations = endpoint("PublisherRegistrationManager");
    operations(registrations, BR, "DestroyRegistration");
    operations(registrations, RP, "GetResourceProperty");
    operations(registrations, RL, "Destroy", "SetTerminationTime");
    contracts.add(registrations, new ResourceProperties(
        new QName(PublishedContracts.NAMESPACE, "PublisherRegistrationRP"),
        List.of(new Property(new QName(BR, "Demand"), null, false, false))));
  }

  static ResourceProperties counterProperties() {
    return new ResourceProperties(
        new QName("http://counter.com", "CounterProperties"),
        List.of(
            new Property(new QName("http://counter.com", "Value"), xs("int"), false, false),
            new Property(new QName("urn:elsewhere", "Label"), null, true, true)));
  }

  private static ResourceProperties own(String name) {
    return new ResourceProperties(new QName(PublishedContracts.NAMESPACE, name), List.of());
  }

  static QName xs(String name) {
    return new QName("http://www.w3.org/2001/XMLSchema", name);
  }

  Endpoint endpoint(String name) {
    Endpoint endpoint = new Endpoint("/services/" + name, "");
    endpoints.add(endpoint);
    return endpoint;
  }

  static void operations(Endpoint endpoint, String namespace, String... names) {
    for (String name : names) {
      endpoint.add(new Named(new QName(namespace, name)));
    }
  }

  void service(Endpoint endpoint, Object bean, ResourceProperties properties) {
    EndpointImpl published = new EndpointImpl(bus, bean);
    published.publish("/" + bean.getClass().getSimpleName() + endpoints.size());
    contracts.add(endpoint, new CxfContract(bus, published.getServer().getEndpoint()), properties);
  }

  @Override
  public void close() {
    bus.shutdown(true);
  }
}
