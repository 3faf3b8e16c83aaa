package org.understudy.client.envelope;

import java.util.List;
import java.util.Map;
import org.understudy.replication.api.VersionHandles;

/**
 * The answer of a replica to one attempt.
 *
 * @param status the HTTP status
 * @param contentType as sent, or null
 * @param headers the HTTP headers, their names as sent
 * @param bytes the whole content; may be empty
 * @param isSoap whether the content is a SOAP envelope
 * @param versions the version handles of the response header
 * @param epoch the epoch of the response header, or 0
 * @param replayed whether it is a stored answer of an execution that an earlier attempt began
 * @param refusal the replication fault, or null
 */
public record Answer(
    int status,
    String contentType,
    Map<String, List<String>> headers,
    byte[] bytes,
    boolean isSoap,
    VersionHandles versions,
    long epoch,
    boolean replayed,
    Refusal refusal) {}
