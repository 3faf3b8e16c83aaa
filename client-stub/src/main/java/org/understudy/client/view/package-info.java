/** Which replicas there are and which one is the primary, as this client knows it. Not API. */
package org.understudy.client.view;
