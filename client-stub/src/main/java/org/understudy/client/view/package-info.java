/** Which replicas there are and which of them serve what, as this client knows it. Not API. */
package org.understudy.client.view;
