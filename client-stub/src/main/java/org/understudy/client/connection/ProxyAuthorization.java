package org.understudy.client.connection;

import java.io.IOException;
import org.apache.hc.client5.http.RouteInfo;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.protocol.HttpContext;

/** Adds the credentials of the proxy to what the proxy reads: requests that it forwards, and those that open a tunnel. */
final class ProxyAuthorization extends HttpRequestExecutor {
  private final String value;

  ProxyAuthorization(String value) {
    this.value = value;
  }

  @Override
  public ClassicHttpResponse execute(
      ClassicHttpRequest request, HttpClientConnection connection, HttpResponseInformationCallback informed, HttpContext context)
      throws IOException, HttpException {
    RouteInfo route = HttpClientContext.cast(context).getHttpRoute();
    boolean isForwarded = route != null && route.getProxyHost() != null && !route.isTunnelled();
    if (isForwarded || Method.CONNECT.isSame(request.getMethod())) {
      request.setHeader(HttpHeaders.PROXY_AUTHORIZATION, value);
    }
    return super.execute(request, connection, informed, context);
  }
}
