package org.understudy.counter.service;

import jakarta.jws.WebService;
import jakarta.xml.ws.wsaddressing.W3CEndpointReferenceBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.understudy.counter.CounterPortType;
import org.understudy.counter.CreateCounter;
import org.understudy.counter.CreateCounterResponse;
import org.understudy.counter.UnknownCounter;
import org.understudy.counter.UnknownCounterFault;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;
import org.understudy.replication.api.UnknownResourceException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * The Counter, as a sample to copy: counters are WS-Resources, found and made through their home. Nothing here knows of
 * replicas.
 */
@WebService(
    endpointInterface = "org.understudy.counter.CounterPortType",
    targetNamespace = "http://counter.com",
    serviceName = "CounterService",
    portName = "CounterPort",
    wsdlLocation = "classpath:wsdl/counter.wsdl")
@ResourceState(CounterState.class)
public class CounterService implements CounterPortType {
  /** Nearly the default of {@code understudy.resource.bytes}. */
  private static final int MAX_STATE_BYTES = 8_000_000;

  private final ResourceHome<CounterState> counters;

  public CounterService(ResourceHome<CounterState> counters) {
    this.counters = counters;
  }

  @Override
  public CreateCounterResponse createCounter(CreateCounter parameters) {
    int stateBytes = parameters.getStateBytes() == null ? 0 : parameters.getStateBytes();
    if (stateBytes < 0 || stateBytes > MAX_STATE_BYTES) {
      throw new IllegalArgumentException("stateBytes is from 0 to " + MAX_STATE_BYTES + ", not " + stateBytes + ".");
    }
    String id = counters.create(new CounterState(stateBytes));
    CreateCounterResponse response = new CreateCounterResponse();
    response.setEndpointReference(
        new W3CEndpointReferenceBuilder()
            .address(counters.address(id))
            .referenceParameter(referenceParameter(id))
            .build());
    return response;
  }

  @Override
  public int add(int value) throws UnknownCounter {
    return current().add(value);
  }

  @Override
  @Read
  public int getValue() throws UnknownCounter {
    return current().value();
  }

  private CounterState current() throws UnknownCounter {
    try {
      return counters.current();
    } catch (UnknownResourceException e) {
      UnknownCounterFault fault = new UnknownCounterFault();
      fault.setMessage(e.getMessage());
      throw new UnknownCounter(e.getMessage(), fault);
    }
  }

  private static Element referenceParameter(String id) {
    try {
      Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
      Element parameter = document.createElementNS("urn:understudy:replication:1", "ur:ResourceId");
      parameter.setTextContent(id);
      return parameter;
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("Every Java can make an empty document.", e);
    }
  }
}
