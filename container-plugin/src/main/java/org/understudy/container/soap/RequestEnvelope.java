package org.understudy.container.soap;

import javax.xml.namespace.QName;

/**
 * What was read of a request before the service sees it.
 *
 * @param operation the body's first element, or null when the body is empty
 * @param header null when the client sent none
 * @param messageId {@code wsa:MessageID}, or null
 * @param resource the id in the reference parameter {@code ur:ResourceId}, or null
 * @param digest of the body, to tell another one under the same request id
 */
public record RequestEnvelope(
    SoapVersion version, QName operation, ReplicationHeader header, String messageId, String resource, long digest) {}
