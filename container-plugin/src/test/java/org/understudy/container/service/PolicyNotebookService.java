package org.understudy.container.service;

import jakarta.jws.WebService;
import org.apache.cxf.annotations.EndpointProperties;
import org.apache.cxf.annotations.EndpointProperty;
import org.apache.cxf.annotations.Policies;
import org.apache.cxf.annotations.Policy;

/** A notebook whose contract requires a UsernameToken by WS-Policy; a password is the name twice. */
@Policies(@Policy(uri = "classpath:/org/understudy/container/service/token-policy.xml", placement = Policy.Placement.BINDING))
@EndpointProperties(
    @EndpointProperty(
        key = "security.callback-handler", value = "org.understudy.container.service.TokenNotebookService$Passwords"))
@WebService(endpointInterface = "org.understudy.container.service.Notebook", targetNamespace = "urn:notebook")
public class PolicyNotebookService extends NotebookService {}
