package org.understudy.container.request;

import org.understudy.container.operation.ContractDownload;
import org.understudy.container.operation.Operations;
import org.understudy.container.response.Answers;

/**
 * The parts of one replicated service that process its requests.
 *
 * @param answers writes the responses, with the service's own addresses in views
 * @param operations the service's own operations and the standard ones at its endpoints
 * @param execution executes the operations
 * @param contracts serves the contracts of its endpoints; null if the service's stack publishes them itself
 * @param session the operations on sessions and views at its address
 * @param outcomes of the whole replica
 */
public record ReplicatedService(
    Answers answers,
    Operations operations,
    ServiceExecution execution,
    ContractDownload contracts,
    GroupOperations session,
    OutcomeHistory outcomes) {}
