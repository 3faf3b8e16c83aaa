package org.understudy.lab.session;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The configuration of the servers of one set-up, as an administrator would write it. */
final class Configuration {
  /** Synchronous, and acknowledged when the receiver has processed the message: what a request of the session manager waits for too. */
  static final int SYNCHRONOUS_ACKNOWLEDGED = 6;

  private static final String HA = "org.apache.catalina.ha.";
  private static final String TRIBES = "org.apache.catalina.tribes.";

  private final Setup setup;
  private final Ports ports;

  Configuration(Setup setup, Ports ports) {
    this.setup = setup;
    this.ports = ports;
  }

  /**
   * The server's {@code server.xml}.
   *
   * @param plain of this project, the same connector for all
   */
  String serverXml(int server, String plain) {
    if (!setup.isTomcatCluster()) {
      return plain;
    }
    int host = plain.indexOf("<Host ");
    if (host < 0) {
      throw new IllegalArgumentException("server.xml has no element Host.");
    }
    return plain.substring(0, host) + cluster(server) + plain.substring(host);
  }

  /** The element {@code Cluster}: without multicast, each server knows the others. */
  private String cluster(int server) {
    String manager =
        setup == Setup.DELTA
            ? "<Manager className=\"" + HA + "session.DeltaManager\" expireSessionsOnShutdown=\"false\"/>"
            : "<Manager className=\"" + HA + "session.BackupManager\" expireSessionsOnShutdown=\"false\" mapSendOptions=\""
                + SYNCHRONOUS_ACKNOWLEDGED + "\"/>";
    String others =
        IntStream.rangeClosed(1, setup.servers()).filter(other -> other != server).mapToObj(other -> member("Member", other))
            .collect(Collectors.joining());
    return """
        <Cluster className="%1$stcp.SimpleTcpCluster" channelSendOptions="%3$d">
          %4$s
          <Channel className="%2$sgroup.GroupChannel">
            <Membership className="%2$smembership.StaticMembershipService">%5$s%6$s</Membership>
            <Receiver className="%2$stransport.nio.NioReceiver" address="127.0.0.1" port="%7$d" autoBind="0"/>
            <Sender className="%2$stransport.ReplicationTransmitter">
              <Transport className="%2$stransport.nio.PooledParallelSender"/>
            </Sender>
            <Interceptor className="%2$sgroup.interceptors.TcpFailureDetector"/>
            <Interceptor className="%2$sgroup.interceptors.MessageDispatchInterceptor"/>
          </Channel>
          <Valve className="%1$stcp.ReplicationValve"/>
          <ClusterListener className="%1$ssession.ClusterSessionListener"/>
        </Cluster>
        """
        .formatted(HA, TRIBES, SYNCHRONOUS_ACKNOWLEDGED, manager, member("LocalMember", server), others, ports.peer(setup, server));
  }

  private String member(String element, int server) {
    return String.format(
        Locale.ROOT,
        "<%s className=\"%smembership.StaticMember\" host=\"127.0.0.1\" port=\"%d\" uniqueId=\"{%s%d}\"/>",
        element, TRIBES, ports.peer(setup, server), "0,".repeat(15), server);
  }

  /** The web application's {@code META-INF/context.xml}. */
  String contextXml(int server, String secret) {
    if (!setup.isUnderstudy()) {
      return "<Context/>\n";
    }
    String peers =
        IntStream.rangeClosed(1, setup.servers()).mapToObj(other -> other + "=127.0.0.1:" + ports.peer(setup, other))
            .collect(Collectors.joining(","));
    return """
        <Context>
          <Manager className="org.understudy.session.ReplicatedSessionManager" replica="%d" peers="%s" secret="%s"
                   directory="${catalina.base}/record" journal="%s"/>
        </Context>
        """
        .formatted(server, peers, secret, setup == Setup.JOURNAL ? "disk" : "none");
  }

  /** The web application's {@code web.xml}. */
  String webXml(String servletClass) {
    return """
        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
          %s
          <servlet>
            <servlet-name>value</servlet-name>
            <servlet-class>%s</servlet-class>
            <load-on-startup>1</load-on-startup>
          </servlet>
          <servlet-mapping>
            <servlet-name>value</servlet-name>
            <url-pattern>/value</url-pattern>
          </servlet-mapping>
        </web-app>
        """
        .formatted(setup == Setup.NONE ? "" : "<distributable/>", servletClass);
  }
}
