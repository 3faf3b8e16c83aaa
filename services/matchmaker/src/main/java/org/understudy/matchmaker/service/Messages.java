package org.understudy.matchmaker.service;

import java.time.Instant;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Machines and allocations as XML, for resource properties and topics. Thread-safe. */
final class Messages {
  static final String NAMESPACE = "urn:understudy:matchmaker:1";

  private static final DocumentBuilderFactory FACTORY = DocumentBuilderFactory.newInstance();

  private Messages() {}

  /**
   * A machine without its identification, which is for the machine's job alone.
   *
   * @param jobId the job to which it is allocated or that it reports; null for none
   */
  static Element machine(AdvertisedMachine machine, String jobId) {
    Document document = document();
    Element element = document.createElementNS(NAMESPACE, "Machine");
    add(element, "resourceId", machine.resourceId());
    add(element, "cpuMhz", Integer.toString(machine.cpuMhz()));
    add(element, "memoryMb", Integer.toString(machine.memoryMb()));
    add(element, "diskMb", Integer.toString(machine.diskMb()));
    add(element, "ipAddress", machine.ipAddress());
    add(element, "leaseEnds", Instant.ofEpochMilli(machine.leaseEnds()).toString());
    if (jobId != null) {
      add(element, "jobId", jobId);
    }
    return element;
  }

  static Element allocation(String jobId, String clientId, String resourceId) {
    Element element = document().createElementNS(NAMESPACE, "Allocation");
    add(element, "jobId", jobId);
    add(element, "clientId", clientId);
    add(element, "resourceId", resourceId);
    return element;
  }

  private static void add(Element to, String name, String value) {
    Element child = to.getOwnerDocument().createElementNS(NAMESPACE, name);
    child.setTextContent(value);
    to.appendChild(child);
  }

  private static Document document() {
    try {
      synchronized (FACTORY) {
        return FACTORY.newDocumentBuilder().newDocument();
      }
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("Every Java can make an empty document.", e);
    }
  }
}
