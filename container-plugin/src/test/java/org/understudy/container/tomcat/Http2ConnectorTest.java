package org.understudy.container.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which connectors let a client that reads nothing occupy threads. */
class Http2ConnectorTest {
  @TempDir private Path directory;

  private List<String> wide(Http2Protocol protocol) {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    Connector connector = new Connector();
    if (protocol != null) {
      connector.addUpgradeProtocol(protocol);
    }
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", directory.toString());
    return TomcatApplication.of(context.getServletContext()).wideHttp2Connectors();
  }

  private static Http2Protocol protocol(int streams, long writeMs) {
    Http2Protocol protocol = new Http2Protocol();
    protocol.setMaxConcurrentStreamExecution(streams);
    protocol.setStreamWriteTimeout(writeMs);
    return protocol;
  }

  @Test
  void aConnectorWithTomcatsDefaultsIsNamed() {
    assertEquals(1, wide(new Http2Protocol()).size());
    assertEquals(1, wide(protocol(20, 5_000)).size());
    assertEquals(1, wide(protocol(4, 20_000)).size());
    assertEquals(1, wide(protocol(4, -1)).size());
  }

  @Test
  void aConnectorWithLimitsOrWithoutHttp2IsNotNamed() {
    assertEquals(List.of(), wide(protocol(4, 5_000)));
    assertEquals(List.of(), wide(null));
  }
}
