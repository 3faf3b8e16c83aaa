package org.understudy.container.attachment;

import org.apache.cxf.Bus;
import org.apache.cxf.endpoint.Server;
import org.apache.cxf.feature.AbstractFeature;

/**
 * Makes an endpoint fault-tolerant, or all endpoints of a bus, as the annotation
 * {@link org.understudy.replication.api.FaultTolerant} does for those of a class. Add it to the features of an endpoint, or to
 * those of a bus, before the endpoint is published.
 */
public final class FaultTolerantFeature extends AbstractFeature {
  private static final String MARK = FaultTolerantFeature.class.getName();

  private String name;
  private String group = "";

  /** A feature for one endpoint or many: each service is named after its address. */
  public FaultTolerantFeature() {
    this("");
  }

  /**
   * A feature for the endpoints of one service.
   *
   * @param name see {@link org.understudy.replication.api.FaultTolerant#name}
   */
  public FaultTolerantFeature(String name) {
    this.name = name;
  }

  /** As in the constructor; for dependency injection. */
  public void setName(String name) {
    this.name = name;
  }

  public String getName() {
    return name;
  }

  /**
   * Selects one of several groups of the web application.
   *
   * @param group see {@link org.understudy.replication.api.FaultTolerant#group}
   */
  public void setGroup(String group) {
    this.group = group;
  }

  public String getGroup() {
    return group;
  }

  @Override
  public void initialize(Server server, Bus bus) {
    server.getEndpoint().put(MARK, this);
  }

  @Override
  public void initialize(Bus bus) {
    bus.setProperty(MARK, this);
  }

  /** Returns the feature of an endpoint, else that of its bus, else null. */
  static FaultTolerantFeature of(Server server, Bus bus) {
    if (server.getEndpoint().get(MARK) instanceof FaultTolerantFeature own) {
      return own;
    }
    return bus.getProperty(MARK) instanceof FaultTolerantFeature common ? common : null;
  }
}
