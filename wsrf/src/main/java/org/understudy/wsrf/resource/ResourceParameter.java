package org.understudy.wsrf.resource;

import org.understudy.soap.xml.XmlText;

/** The reference parameter that names a resource in endpoint references, beside the id in the URL. */
public final class ResourceParameter {
  private static final String NAMESPACE = "urn:understudy:replication:1";

  private ResourceParameter() {}

  /** Returns the parameter as an element that declares its prefix. */
  public static String of(String id) {
    return "<ur:ResourceId xmlns:ur=\"" + NAMESPACE + "\">" + XmlText.escape(id) + "</ur:ResourceId>";
  }
}
