package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import java.util.Map;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.understudy.container.caller.Caller;
import org.understudy.container.operation.Operation;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.soap.ReplicationHeader;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.MessageProperties.Target;
import org.understudy.soap.envelope.SoapVersion;

/** Who may be answered with whose reply. */
class RequestMapperTest {
  private static final Caller ANN = new Caller("ann", "192.0.2.1");

  private static final RequestIdentity IDENTITY = new RequestIdentity(new byte[] {1, 2, 3});

  private static Request request(ReplicationHeader header, String endpoint, String resource, Caller caller) {
    return request(IDENTITY, header, endpoint, resource, caller);
  }

  private static Request request(
      RequestIdentity identity, ReplicationHeader header, String endpoint, String resource, Caller caller) {
    MessageProperties properties =
        new MessageProperties(true, "urn:uuid:1", Target.ANONYMOUS, Target.ANONYMOUS, null);
    RequestEnvelope envelope =
        new RequestEnvelope(
            SoapVersion.SOAP11, new QName("urn:x", "add"), header, properties, List.of(), null, 77);
    Operation operation = new Operation(null, "urn:x/addResponse", Map.of(), null);
    return RequestMapper.request(identity, envelope, endpoint, resource, operation, caller);
  }

  @Test
  void aMessageIdIsAnIdentityOfOneCallerAtOneResource() {
    Request asked = request(null, "/services/Counter", "a", ANN);
    assertEquals(asked.key(), request(null, "/services/Counter", "a", new Caller("ann", "198.51.100.7")).key());
    assertNotEquals(asked.key(), request(null, "/services/Counter", "b", ANN).key());
    assertNotEquals(asked.key(), request(null, "/services/Counter", null, ANN).key());
    assertNotEquals(asked.key(), request(null, "/services/Other", "a", ANN).key());
    assertNotEquals(asked.key(), request(null, "/services/Counter", "a", new Caller("bob", "192.0.2.1")).key());
    assertNotEquals(asked.key(), request(null, "/services/Counter", "a", new Caller("", "192.0.2.1")).key());
    assertNotEquals(
        request(null, "/services/Counter", "ab", new Caller("c", "")).key(),
        request(null, "/services/Counter", "a", new Caller("bc", "")).key());
  }

  @Test
  void clientsCannotComputeTheKeyOfAMessageId() {
    Request asked = request(null, "/services/Counter", "a", ANN);
    RequestIdentity same = new RequestIdentity(new byte[] {1, 2, 3});
    RequestIdentity other = new RequestIdentity(new byte[] {1, 2, 4});
    RequestIdentity alone = new RequestIdentity(new byte[0]);
    assertEquals(asked.key(), request(same, null, "/services/Counter", "a", ANN).key());
    assertNotEquals(asked.key(), request(other, null, "/services/Counter", "a", ANN).key());
    assertNotEquals(
        request(alone, null, "/services/Counter", "a", ANN).key(),
        request(new RequestIdentity(new byte[0]), null, "/services/Counter", "a", ANN).key());
  }

  @Test
  void theDigestOfASessionsRequestCoversEndpointAndResource() {
    ReplicationHeader header = new ReplicationHeader(new SessionId(1, 2), 1, 1, VersionHandle.INITIAL, 0, 1, null);
    Request asked = request(header, "/services/Counter", "a", ANN);
    assertEquals(asked.digest(), request(header, "/services/Counter", "a", ANN).digest());
    assertNotEquals(asked.digest(), request(header, "/services/Counter", "b", ANN).digest());
    assertNotEquals(asked.digest(), request(header, "/services/Other", "a", ANN).digest());
    assertEquals(asked.key(), request(header, "/services/Counter", "b", ANN).key());
  }

  @Test
  void theOwnerIsThePrincipalOrElseTheAddress() {
    assertEquals("principal:ann", request(null, "/s", "a", ANN).owner());
    assertEquals("address:192.0.2.1", request(null, "/s", "a", new Caller("", "192.0.2.1")).owner());
  }
}
