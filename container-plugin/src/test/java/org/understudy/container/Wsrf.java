package org.understudy.container;

import java.nio.charset.StandardCharsets;
import org.understudy.test.cluster.Answer;

/** Requests of WSRF as text, to lamps and what else is there. */
public final class Wsrf {
  private static final String RP = "http://docs.oasis-open.org/wsrf/rp-2";
  private static final String RL = "http://docs.oasis-open.org/wsrf/rl-2";

  private Wsrf() {}

  /** Posts to a path within the web application. */
  public static Answer post(ServiceCluster site, int replica, String path, String body) {
    return site.post(
        replica, path, Soap.envelope("", body).getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  public static Answer lamp(ServiceCluster site, int replica, String id, String body) {
    return post(site, replica, "/services/LampService" + (id == null ? "" : "/" + id), body);
  }

  public static String create(ServiceCluster site) {
    return lamp(site, site.nextServer(), null, "<n:create xmlns:n=\"urn:lamps\"/>").between("<return>", "</return>");
  }

  /** An operation of WS-ResourceProperties; the prefix {@code l} is that of the lamps. */
  public static String rp(String operation, String content) {
    return "<rp:" + operation + " xmlns:rp=\"" + RP + "\" xmlns:l=\"urn:lamps\" xmlns:rl=\"" + RL + "\">" + content
        + "</rp:" + operation + ">";
  }

  /** An operation of WS-ResourceLifetime. */
  public static String rl(String operation, String content) {
    return "<rl:" + operation + " xmlns:rl=\"" + RL + "\">" + content + "</rl:" + operation + ">";
  }

  public static String get(ServiceCluster site, int replica, String id, String property) {
    return lamp(site, replica, id, rp("GetResourceProperty", property)).body();
  }

  public static Answer set(ServiceCluster site, int replica, String id, String components) {
    return lamp(site, replica, id, rp("SetResourceProperties", components));
  }
}
