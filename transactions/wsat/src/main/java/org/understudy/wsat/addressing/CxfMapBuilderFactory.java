package org.understudy.wsat.addressing;

import org.jboss.ws.api.addressing.MAPBuilder;
import org.jboss.ws.api.addressing.MAPBuilderFactory;

/** Gives Narayana the addressing properties of CXF. */
public final class CxfMapBuilderFactory extends MAPBuilderFactory {
  private static final MAPBuilder BUILDER = new CxfMapBuilder();

  @Override
  public MAPBuilder getBuilderInstance() {
    return BUILDER;
  }
}
